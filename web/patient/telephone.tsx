import { Anchor } from '@mantine/core';
import classes from './telephone.module.css';

/** Senders write numbers with and without signs; ten digits alone are hard to read, and to dial. */
const written = (number: string): string => {
  const digits = /^\+?1?(\d{3})(\d{3})(\d{4})$/.exec(number);
  return digits ? digits.slice(1).join('-') : number;
};

/** A name with a link that calls its number; the name alone if there is no number. */
export const Telephone = ({ name, number }: { name: string; number: string | null }) =>
  number ? (
    <>
      {name} ·{' '}
      <Anchor
        underline="always"
        className={classes.number}
        href={`tel:${number.replace(/[^\d+]/g, '')}`}
        aria-label={`Call ${name}, ${written(number)}`}
      >
        {written(number)}
      </Anchor>
    </>
  ) : (
    name
  );
