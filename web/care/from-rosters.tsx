import { Anchor, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { CareCoordinatorDetails, ProviderDetails } from '#contract/cohorts.ts';
import type { PatientDetails } from '#contract/patient-details.ts';
import { patientDetailsQuery } from '../patient/patient-query.ts';
import { Telephone } from '../patient/telephone.tsx';
import classes from './care.module.css';

type Reach = Pick<ProviderDetails, 'fullName' | 'title' | 'telephone' | 'fax' | 'email'>;

/** A person whom a roster names, and how to reach them. `about`: what they are to the patient. */
const Person = ({
  person: { fullName, title, telephone, fax, email },
  about,
  lines,
}: {
  person: Reach;
  about: (string | null | undefined)[];
  lines: (string | null)[];
}) => (
  <li className={classes.card}>
    <div className={classes.cardHead}>
      <h3>{[fullName, title].filter(Boolean).join(', ')}</h3>
    </div>
    <span>{about.filter(Boolean).join(' · ')}</span>
    <span>{telephone ? <Telephone name="Phone" number={telephone} /> : 'No phone number'}</span>
    {email && (
      <span>
        Email ·{' '}
        <Anchor data-target underline="always" href={`mailto:${encodeURIComponent(email)}`}>
          {email}
        </Anchor>
      </span>
    )}
    {fax && <span className="tabular">Fax · {fax}</span>}
    {lines.map((line) => line && <span key={line}>{line}</span>)}
  </li>
);

const nameOf = ({ cohorts }: PatientDetails, cohortId: string | null): string | undefined =>
  cohorts.find(({ id }) => id === cohortId)?.name;

const Coordinator = ({ person, patient }: { person: CareCoordinatorDetails; patient: PatientDetails }) => (
  <Person
    person={person}
    about={['Care coordinator', nameOf(patient, person.cohortId)]}
    lines={[person.eventType && `Call about · ${person.eventType}`]}
  />
);

const Provider = ({ person, patient }: { person: ProviderDetails; patient: PatientDetails }) => (
  <Person
    person={person}
    about={['Provider', person.providerType, nameOf(patient, person.cohortId)]}
    lines={[person.directMessage && `Direct · ${person.directMessage}`, person.npi && `NPI · ${person.npi}`]}
  />
);

/** The coordinators and providers whom rosters name. Only an upload changes them. */
export const FromRosters = ({ patientId }: { patientId: string }) => {
  const { data: patient } = useQuery(patientDetailsQuery(patientId));
  if (!patient) return null;
  const { careCoordinators, providers, practices } = patient;
  return (
    <section aria-label="From rosters">
      <Title order={2} mt="lg" mb="xs">
        From rosters
      </Title>
      {careCoordinators.length + providers.length === 0 ? (
        <Text c="dimmed">No care coordinators or providers.</Text>
      ) : (
        <ul className={classes.cards}>
          {careCoordinators.map((person) => (
            <Coordinator key={person.id} person={person} patient={patient} />
          ))}
          {providers.map((person) => (
            <Provider key={person.id} person={person} patient={patient} />
          ))}
        </ul>
      )}
      {practices.length > 0 && <Text mt="xs">Practices · {practices.map(({ name }) => name).join(', ')}</Text>}
    </section>
  );
};
