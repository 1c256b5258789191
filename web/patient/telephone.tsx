import { Anchor } from '@mantine/core';
import type { Patient } from '#contract/patients.ts';
import classes from './telephone.module.css';

/** Returns a number in groups. Senders write them with and without signs; ten digits alone are hard to read, and to dial. */
export const written = (number: string): string => {
  const digits = /^\+?1?(\d{3})(\d{3})(\d{4})$/.exec(number);
  return digits ? digits.slice(1).join('-') : number;
};

/** How an extension is written after a number: x12, ext. 12, extension 12. */
const EXTENSION = /[a-z#]/i;
/** Fewer digits are no number that can be called: a remark, or an extension alone. */
const FEWEST_DIGITS = 7;

/** Returns the address that calls a number, with its extension apart (RFC 3966, 5.3); null if there is nothing to call. */
const callTo = (number: string): string | null => {
  const at = number.search(EXTENSION);
  const main = (at < 0 ? number : number.slice(0, at)).replace(/[^\d+]/g, '');
  const extension = at < 0 ? '' : number.slice(at).replace(/\D/g, '');
  if (main.replace('+', '').length < FEWEST_DIGITS) return null;
  return `tel:${main}${extension && `;ext=${extension}`}`;
};

/** A name with a link that calls its number; the name alone if there is no number. */
export const Telephone = ({ name, number }: { name: string; number: string | null }) => {
  if (!number) return name;
  const href = callTo(number);
  return (
    <>
      {name} ·{' '}
      {href ? (
        <Anchor
          data-target
          underline="always"
          className={classes.number}
          href={href}
          aria-label={`Call ${name}, ${written(number)}`}
        >
          {written(number)}
        </Anchor>
      ) : (
        number
      )}
    </>
  );
};

/** The patient's own number. That of a patient who has died is no link, because a call would reach the family. */
export const OwnNumber = ({
  patient,
  name,
  number,
}: {
  patient: Pick<Patient, 'deceased'>;
  name: string;
  number: string;
}) => (patient.deceased ? `${name} · ${written(number)}` : <Telephone name={name} number={number} />);
