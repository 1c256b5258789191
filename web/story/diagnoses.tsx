import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { DiagnosisSummary } from '#contract/story.ts';
import { Loaded } from '../forms/loaded.tsx';
import { formatDate } from '../ui/format/date.ts';
import { typeInWords, typesBefore, useFirst } from './diagnosis-list.tsx';
import classes from './story.module.css';
import { diagnosesQuery } from './story-queries.ts';

const FIRST = 8;

const Table = ({ diagnoses }: { diagnoses: readonly DiagnosisSummary[] }) => {
  const { shown, button } = useFirst(diagnoses, FIRST, 'diagnoses');
  return (
    <>
      <ul className={classes.diagnoses}>
        {shown.map((diagnosis) => (
          <li key={diagnosis.fullCode}>
            <span>
              {diagnosis.synonym ?? 'No description'} <span className={classes.dim}>{diagnosis.fullCode}</span>
            </span>
            <span className={classes.dim}>
              {[
                typeInWords(diagnosis),
                diagnosis.encounterCount === 1 ? null : `${diagnosis.encounterCount} visits`,
                diagnosis.lastDate && formatDate(diagnosis.lastDate),
                diagnosis.facilityName,
                ...typesBefore(diagnosis),
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </li>
        ))}
      </ul>
      {button}
    </>
  );
};

/** All diagnoses of the patient, each once. */
export const Diagnoses = ({ patientId }: { patientId: string }) => {
  const diagnoses = useQuery(diagnosesQuery(patientId));
  return (
    <section aria-labelledby="story-diagnoses" className={classes.panel}>
      <Title order={2} id="story-diagnoses">
        Diagnoses
      </Title>
      <Loaded query={diagnoses} what="diagnoses">
        {(all) => (all.length === 0 ? <Text c="dimmed">No diagnoses sent.</Text> : <Table diagnoses={all} />)}
      </Loaded>
    </section>
  );
};
