import { ActionIcon } from '@mantine/core';
import { IconPrinter } from '../ui/icons.ts';
import classes from './print.module.css';

/** Opens the browser's printing; what it prints is the page of the list as it stands. */
export const PrintButton = () => (
  <ActionIcon
    className={classes.button}
    title="Print the list"
    aria-label="Print the list"
    onClick={() => window.print()}
  >
    <IconPrinter size={16} stroke={1.75} aria-hidden />
  </ActionIcon>
);
