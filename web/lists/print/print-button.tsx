import { ActionIcon } from '@mantine/core';
import { experienceBase } from '#contract/experiences.ts';
import { useSession } from '../../session/session.ts';
import { IconPrinter } from '../../ui/icons.ts';
import classes from './print-button.module.css';

/** Opens the browser's printing; what it prints is the page of the list as it stands. A frame of an EHR prints nothing. */
export const PrintButton = () => {
  const { user } = useSession();
  if (experienceBase(user.applicationExperience) === '/ehr') return null;
  return (
    <ActionIcon
      className={classes.button}
      title="Print the list"
      aria-label="Print the list"
      onClick={() => window.print()}
    >
      <IconPrinter size={16} stroke={1.75} aria-hidden />
    </ActionIcon>
  );
};
