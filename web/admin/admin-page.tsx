import { Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { SavedBanner } from '../forms/saved-banner.tsx';
import { useTitle } from '../ui/use-title.ts';
import classes from './admin.module.css';

/** What one part of administration shows: its heading, its action, and what was saved last. */
export const AdminPage = ({
  title,
  lead,
  action,
  message,
  close,
  children,
}: {
  title: string;
  lead?: string;
  action?: ReactNode;
  message: string | null;
  close: () => void;
  children: ReactNode;
}) => {
  useTitle(title);
  return (
    <div className={classes.page}>
      <SavedBanner message={message} close={close} />
      <div className={classes.head}>
        <Title order={1}>{title}</Title>
        {action}
      </div>
      {lead && <p className={classes.lead}>{lead}</p>}
      {children}
    </div>
  );
};

/** Opens what stood open again, as the list has it now; what is no longer there cannot be. */
export const openAnew = async <T extends { id: string }>(
  list: Promise<T[]>,
  { open, edit, close, say }: Pick<ReturnType<typeof useEditing<T | 'new'>>, 'open' | 'edit' | 'close' | 'say'>,
): Promise<void> => {
  const now = (await list).find(({ id }) => open !== null && open !== 'new' && id === open.id);
  if (now) return edit(now);
  close();
  say('Somebody else has removed it.');
};

/**
 * What stands open at the side of a list, and what was saved last. Closing hands the focus back to where it came from, which
 * Mantine's drawer does.
 */
export const useEditing = <T,>() => {
  const [open, setOpen] = useState<T | null>(null);
  const [message, say] = useState<string | null>(null);
  return {
    open,
    message,
    say,
    edit: (what: T): void => {
      say(null);
      setOpen(what);
    },
    close: (): void => setOpen(null),
    saved: (words: string): void => {
      setOpen(null);
      say(words);
    },
  };
};
