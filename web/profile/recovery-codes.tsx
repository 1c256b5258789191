import { Button, Checkbox, Group, Text, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { CopyButton } from '../forms/copy-value.tsx';
import { IconPrinter } from '../ui/icons.ts';
import classes from './profile.module.css';

/** The recovery codes, which the server shows this once; closed only after a word that they are kept. */
export const RecoveryCodes = ({ codes, close }: { codes: string[]; close: () => void }) => {
  const head = useRef<HTMLHeadingElement>(null);
  const [kept, keep] = useState(false);
  useEffect(() => head.current?.focus(), []);
  return (
    <div role="group" aria-labelledby="codes">
      <Title order={3} id="codes" ref={head} tabIndex={-1} style={{ outline: 'none' }}>
        Your recovery codes
      </Title>
      <Text my="sm">
        Each of them signs you in once without your phone. They are shown only now: copy or print them, and keep them
        where nobody else finds them.
      </Text>
      <ul className={classes.codes}>
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
        label="I have kept these codes"
        checked={kept}
        onChange={({ currentTarget }) => keep(currentTarget.checked)}
        mb="sm"
      />
      <Button disabled={!kept} onClick={close}>
        Done
      </Button>
    </div>
  );
};
