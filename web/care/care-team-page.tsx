import { Button, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { CareTeamRecord } from '#contract/care.ts';
import type { Patient } from '#contract/patients.ts';
import { Consents } from '../consents/consents.tsx';
import { Loaded } from '../forms/loaded.tsx';
import { SavedBanner } from '../forms/saved-banner.tsx';
import { useSession } from '../session/session.ts';
import { Empty } from '../ui/states.tsx';
import classes from './care.module.css';
import { CareFrame } from './care-frame.tsx';
import { careTeamQuery, programsQuery } from './care-queries.ts';
import { ContactCard } from './contact-card.tsx';
import { ContactDrawer } from './contact-drawer.tsx';
import { FromRosters } from './from-rosters.tsx';
import { useEdited } from './use-edited.ts';

/** Which record is edited, and the list to load again. */
export const useEditedContact = (patientId: string) => {
  const client = useQueryClient();
  const query = careTeamQuery(patientId);
  return useEdited<CareTeamRecord>([query.queryKey], async (id) => {
    const records = await client.fetchQuery(query);
    return records.find((record) => record.id === id) ?? null;
  });
};

/** The programs of the patient, of other organizations too. */
const Programs = ({ patientId }: { patientId: string }) => {
  const programs = useQuery(programsQuery(patientId));
  return (
    <section aria-label="Programs">
      <Title order={2} mt="lg" mb="xs">
        Programs
      </Title>
      <Loaded query={programs} what="programs">
        {(all) =>
          all.length === 0 ? (
            <Text c="dimmed">No programs.</Text>
          ) : (
            <ul className={classes.programs}>
              {all.map(({ organization, programName }) => (
                <li key={`${organization} ${programName}`}>
                  {programName} · {organization}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
};

const CareTeam = ({ patient }: { patient: Patient }) => {
  const { can } = useSession();
  const team = useQuery(careTeamQuery(patient.id));
  const edited = useEditedContact(patient.id);
  return (
    <>
      <div className={classes.head}>
        <Title order={2}>Contacts</Title>
        {can('canEditCarePlans') && <Button onClick={() => edited.edit('new')}>Add contact</Button>}
      </div>
      <SavedBanner message={edited.message} close={edited.closeMessage} />
      <Loaded query={team} what="care team">
        {(records) =>
          records.length === 0 ? (
            <Empty title="No contacts yet.">Contacts that another team adds for this patient appear here too.</Empty>
          ) : (
            <ul className={classes.cards}>
              {records.map((record) => (
                <ContactCard
                  key={record.id}
                  record={record}
                  edit={record.editable ? () => edited.edit(record) : null}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
      <Programs patientId={patient.id} />
      <FromRosters patientId={patient.id} />
      {can('canEditPatientsAndEvents') && <Consents patientId={patient.id} />}
      <Text size="xs" c="dimmed" mt="md">
        Contacts and programs are shared with every team that lists this patient. Those of a 42 CFR Part 2 facility are
        not.
      </Text>
      {edited.open !== null && (
        <ContactDrawer
          key={edited.key}
          patientId={patient.id}
          record={edited.open === 'new' ? null : edited.open}
          handlers={edited.handlers}
        />
      )}
    </>
  );
};

/** The people who look after a patient, and how to reach them. */
export const CareTeamPage = () => (
  <CareFrame title="Care team" page="/care-team" liveKeys={['care-team', 'programs', 'consents']}>
    {(patient) => <CareTeam patient={patient} />}
  </CareFrame>
);
