import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Confirm } from './confirm.tsx';

/** Removes the record of an open form, after a question. */
export const RemoveButton = ({
  what,
  kind,
  act,
  done,
  children,
}: {
  /** As in 'the team Night shift'. */
  what: string;
  /** As in 'team'. */
  kind: string;
  act: () => Promise<unknown>;
  done: (message: string) => void;
  children: ReactNode;
}) => {
  const [asking, ask] = useState(false);
  return (
    <>
      <Button variant="default" size="xs" style={{ alignSelf: 'flex-start' }} onClick={() => ask(true)}>
        Remove this {kind}…
      </Button>
      {asking && (
        <Confirm
          title={`Remove ${what}?`}
          word={`Remove ${kind}`}
          act={act}
          done={() => done(`${what.charAt(0).toUpperCase()}${what.slice(1)} was removed.`)}
          close={() => ask(false)}
        >
          {children}
        </Confirm>
      )}
    </>
  );
};
