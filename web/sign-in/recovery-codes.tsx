import { Button, Checkbox, Group, Text, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { CopyButton } from '../forms/copy-value.tsx';
import { useBlocker } from '../router/use-blocker.ts';
import { Dialog } from '../ui/dialog.tsx';
import { IconPrinter } from '../ui/icons.ts';
import classes from './second-factor.module.css';

/** It is no choice of the user's, and isn't held up. */
const isEndOfSession = (path: string): boolean => path === '/login' || path === '/sso-timeout';

/** The recovery codes, which are shown only once. The user confirms having saved them before closing. */
export const RecoveryCodes = ({ codes, close }: { codes: string[]; close: () => void }) => {
  const head = useRef<HTMLHeadingElement>(null);
  const [saved, setSaved] = useState(false);
  const leaving = useBlocker(!saved, isEndOfSession);
  useEffect(() => head.current?.focus(), []);
  return (
    <div role="group" aria-labelledby="codes">
      <Title order={3} id="codes" ref={head} tabIndex={-1} style={{ outline: 'none' }}>
        Your recovery codes
      </Title>
      <Text my="sm">
        Each code signs you in once without your phone. You won't be able to see them again: copy or print them, and
        keep them somewhere safe.
      </Text>
      <ul className={classes.codes} data-recovery-codes>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group gap="sm" my="sm">
        <CopyButton text={codes.join('\n')} label="recovery codes" />
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<IconPrinter size={14} stroke={1.75} aria-hidden />}
          onClick={() => window.print()}
        >
          Print
        </Button>
      </Group>
      <Checkbox
        label="I've saved these codes"
        checked={saved}
        onChange={({ currentTarget }) => setSaved(currentTarget.checked)}
        mb="sm"
      />
      <Button disabled={!saved} onClick={close}>
        Done
      </Button>
      {leaving && (
        <Dialog title="Leave without saving your recovery codes?" close={leaving.reset}>
          <Text>You won't be able to see them again. Without them, you can't sign in if you lose your phone.</Text>
          <Group mt="lg" justify="flex-end">
            <Button variant="default" onClick={leaving.proceed}>
              Leave this page
            </Button>
            <Button data-autofocus onClick={leaving.reset}>
              Stay and save them
            </Button>
          </Group>
        </Dialog>
      )}
    </div>
  );
};
