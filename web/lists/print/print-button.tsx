import { ActionIcon } from '@mantine/core';
import { experienceBase } from '#contract/experiences.ts';
import { useSession } from '../../session/session.ts';
import { IconPrinter } from '../../ui/icons.ts';
import classes from './print-button.module.css';

/** Prints the current page of the list. Not offered inside an EHR, where it would print the EHR's frame. */
export const PrintButton = () => {
  const { user } = useSession();
  if (experienceBase(user.applicationExperience) === '/ehr') return null;
  return (
    <ActionIcon className={classes.button} title="Print list" aria-label="Print list" onClick={() => window.print()}>
      <IconPrinter size={16} stroke={1.75} aria-hidden />
    </ActionIcon>
  );
};
