import { Button, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { uploadedInWords } from '#contract/document-words.ts';
import type { CcdEntry } from '#contract/documents.ts';
import { Loaded } from '../forms/loaded.tsx';
import { dischargeSummaryQuery, documentsQuery, useSeesSummaries } from './document-queries.ts';
import { DocumentLink } from './document-table.tsx';
import { visitInWords, writtenInWords } from './document-words.ts';
import classes from './documents.module.css';

/** A page that facilities wrote, in a frame in which nothing runs and from which nothing leads. */
const Frame = ({ patientId, entry }: { patientId: string; entry: CcdEntry }) => (
  <Loaded query={useQuery(dischargeSummaryQuery(patientId, entry.uuid))} what="discharge summary">
    {(html) => <iframe className={classes.frame} sandbox="" srcDoc={html} title={entry.title} />}
  </Loaded>
);

const Summary = ({ patientId, entry }: { patientId: string; entry: CcdEntry }) => {
  const [isOpen, open] = useState(false);
  return (
    <li>
      <DocumentLink patientId={patientId} entry={entry} />
      <div className={classes.dim}>
        {[entry.encounterFacilityName, visitInWords(entry), `written ${writtenInWords(entry)}`, uploadedInWords(entry)]
          .filter(Boolean)
          .join(' · ')}
      </div>
      <Button size="compact-sm" variant="default" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
        {isOpen ? 'Hide' : 'Read here'}
      </Button>
      {isOpen && <Frame patientId={patientId} entry={entry} />}
    </li>
  );
};

/** The patient's discharge summaries, for those who may see them. Not on a phone. `order`: the level of the heading. */
export const DischargeSummaries = ({ patientId, order = 2 }: { patientId: string; order?: 2 | 3 }) => {
  const isShown = useSeesSummaries();
  const query = useQuery({ ...documentsQuery(patientId), enabled: isShown });
  const summaries = (query.data ?? []).filter(({ isDischargeSummary }) => isDischargeSummary);
  if (!isShown || summaries.length === 0) return null;
  return (
    <section aria-label="Discharge summaries" className={classes.summariesSection}>
      <Title order={order} {...(order === 3 && { size: 'h4' })}>
        Discharge summaries
      </Title>
      <Text size="sm" c="dimmed">
        As the facilities wrote them.
      </Text>
      <ul className={classes.summaries}>
        {summaries.map((entry) => (
          <Summary key={entry.uuid} patientId={patientId} entry={entry} />
        ))}
      </ul>
    </section>
  );
};
