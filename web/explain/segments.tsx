import { Anchor, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Failed } from '../ui/states.tsx';
import classes from './explain.module.css';
import { messageQuery } from './explain-queries.ts';

/** The text of a message, loaded when it is opened: the audit log records that as a look at the message. */
export const Segments = ({ messageId, name }: { messageId: string; name: string }) => {
  const [open, toggle] = useState(false);
  return (
    <div data-no-print>
      <Anchor
        component="button"
        type="button"
        size="sm"
        aria-expanded={open}
        aria-label={`${open ? 'Hide' : 'Show'} message text: ${name}`}
        onClick={() => toggle(!open)}
      >
        {open ? 'Hide message text' : 'Show message text'}
      </Anchor>
      {open && <Text messageId={messageId} name={name} />}
    </div>
  );
};

const Text = ({ messageId, name }: { messageId: string; name: string }) => {
  const { data, error, refetch } = useQuery(messageQuery(messageId));
  if (error) return <Failed what="Couldn't load the message." error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton h={120} />;
  if (data.text === null) return <p className={classes.dim}>The message text is no longer stored.</p>;
  return (
    // HL7 v2 ends segments with carriage returns; here each one is on its own line.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <pre className={classes.text} tabIndex={0} role="region" aria-label={`Message text: ${name}`}>
      {data.text.replaceAll(/\r\n?/g, '\n')}
    </pre>
  );
};
