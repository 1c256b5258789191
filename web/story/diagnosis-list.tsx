import { Anchor } from '@mantine/core';
import { useState } from 'react';
import type { DiagnosisDetails } from '#contract/patient-details.ts';
import { formatDate } from '../ui/format/date.ts';
import classes from './story.module.css';

/** More than these would push the rest of the page out of sight. */
const FIRST = 5;

const TYPES = { A: 'Admitting', W: 'Working', F: 'Final' } as const;

/** Returns "Admitting", "Working" or "Final"; null if the sender does not say. */
export const typeInWords = ({ type }: Pick<DiagnosisDetails, 'type'>): string | null => type && TYPES[type];

/** With the day where it had another type before. */
const typeAndDay = (diagnosis: DiagnosisDetails): string | null =>
  diagnosis.before && diagnosis.since
    ? [typeInWords(diagnosis), formatDate(diagnosis.since)].join(' ')
    : typeInWords(diagnosis);

/** Returns what a diagnosis was called before: "Admitting 11/23/2026". */
export const typesBefore = ({ before = [] }: Pick<DiagnosisDetails, 'before'>): string[] =>
  before.map(({ type, since }) => `${TYPES[type]} ${formatDate(since)}`);

/** Returns the first few of a list, or all, with a button that switches. */
export function useFirst<T>(all: readonly T[], first: number, what: string) {
  const [open, toggle] = useState(false);
  const more = all.length - first;
  return {
    shown: open ? all : all.slice(0, first),
    button: more > 0 && (
      <Anchor component="button" type="button" size="sm" aria-expanded={open} onClick={() => toggle(!open)}>
        {open ? 'Show fewer' : `Show ${more} more ${what}`}
      </Anchor>
    ),
  };
}

/** The diagnoses of a visit, each with its text first and its code second. */
export const DiagnosisList = ({
  diagnoses,
  principal,
}: {
  diagnoses: readonly DiagnosisDetails[];
  principal: string | null;
}) => {
  const { shown, button } = useFirst(diagnoses, FIRST, 'diagnoses');
  if (diagnoses.length === 0) return <p className={classes.dim}>No diagnoses recorded for this stay.</p>;
  return (
    <>
      <ul className={classes.plain}>
        {shown.map((diagnosis) => (
          <li key={`${diagnosis.fullCode} ${diagnosis.type}`}>
            {diagnosis.synonym ?? 'No description'} <span className={classes.dim}>{diagnosis.fullCode}</span>
            <span className={classes.dim}>
              {[typeAndDay(diagnosis), diagnosis.fullCode === principal && 'Principal', ...typesBefore(diagnosis)]
                .filter(Boolean)
                .map((word) => ` · ${word}`)}
            </span>
          </li>
        ))}
      </ul>
      {button}
    </>
  );
};
