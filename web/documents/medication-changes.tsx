import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CcdSummary } from '#contract/documents.ts';
import { timeInWords } from './document-words.ts';
import classes from './documents.module.css';

type Changes = NonNullable<CcdSummary['medicationChanges']>;
const HEADS = {
  ADDED: 'New in this document',
  STOPPED: 'Stopped',
  REMOVED: 'No longer listed',
  CHANGED: 'Different dose, route or frequency',
} as const;

const line = ({ change, name, before, after }: Changes['changes'][number]): ReactNode => (
  <>
    <strong>{name}</strong>
    {change === 'CHANGED'
      ? `: from ${before ?? 'not recorded'} to ${after ?? 'not recorded'}`
      : [before ?? after].map((dose) => dose && `: ${dose}`)}
  </>
);

/** What changed in the medication list since an earlier document; that there is none is said. It compares coded entries by name, which is said. */
export const MedicationChanges = ({ changes: { changes, sinceTitle, sinceWrittenAt } }: { changes: Changes }) => (
  <section className={classes.changes} aria-label="What changed in the medication list">
    <h3>What changed in the medication list</h3>
    {sinceTitle === null ? (
      <Text size="sm">No document from an earlier visit or day has a medication list to compare with.</Text>
    ) : (
      <div className={classes.dim}>
        Compared with {sinceTitle}
        {sinceWrittenAt && `, ${timeInWords(sinceWrittenAt)}`}. By the names of coded entries; check the lists before
        you rely on it.
      </div>
    )}
    {sinceTitle !== null && changes.length === 0 && <Text size="sm">No changes.</Text>}
    {(['ADDED', 'STOPPED', 'REMOVED', 'CHANGED'] as const).map((kind) => {
      const own = changes.filter(({ change }) => change === kind);
      return (
        own.length > 0 && (
          <div key={kind}>
            <h4>
              {HEADS[kind]} ({own.length})
            </h4>
            <ul>
              {own.map((each) => (
                <li key={each.name}>{line(each)}</li>
              ))}
            </ul>
          </div>
        )
      );
    })}
  </section>
);
