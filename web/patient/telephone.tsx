import { Anchor } from '@mantine/core';
import classes from './telephone.module.css';

/** A name with a link that calls its number; the name alone if there is no number. */
export const Telephone = ({ name, number }: { name: string; number: string | null }) =>
  number ? (
    <>
      {name} ·{' '}
      <Anchor
        underline="always"
        className={classes.number}
        href={`tel:${number.replace(/[^\d+]/g, '')}`}
        aria-label={`Call ${name}, ${number}`}
      >
        {number}
      </Anchor>
    </>
  ) : (
    name
  );
