import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { SavedBanner } from '../forms/saved-banner.tsx';
import { useTitle } from '../ui/use-title.ts';
import classes from './admin.module.css';

/** The frame of one administration page: heading, action, and the message about the last change. */
export const AdminPage = ({
  title,
  lead,
  action,
  message = null,
  dismissMessage = () => {},
  children,
}: {
  title: string;
  lead?: string;
  action?: ReactNode;
  message?: string | null;
  dismissMessage?: () => void;
  children: ReactNode;
}) => {
  useTitle(title);
  return (
    <div className={classes.page}>
      <SavedBanner message={message} close={dismissMessage} />
      <div className={classes.head}>
        <Title order={1}>{title}</Title>
        {action}
      </div>
      {lead && <p className={classes.lead}>{lead}</p>}
      {children}
    </div>
  );
};
