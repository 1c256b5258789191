import { UnstyledButton } from '@mantine/core';
import classes from './admin.module.css';

/** The name in a row, which opens it. */
export const Opener = ({ name, open }: { name: string; open: () => void }) => (
  <UnstyledButton className={classes.opener} onClick={open}>
    {name}
  </UnstyledButton>
);
