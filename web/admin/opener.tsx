import { UnstyledButton } from '@mantine/core';
import classes from './admin.module.css';

/** The name in a row, as a button that opens its entry. */
export const Opener = ({ name, open }: { name: string; open: () => void }) => (
  <UnstyledButton className={classes.opener} onClick={open}>
    {name}
  </UnstyledButton>
);
