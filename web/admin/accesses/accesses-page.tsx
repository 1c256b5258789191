import { Anchor, Button, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { accessInWords, accessor } from '#contract/access-words.ts';
import type { ReaderElsewhere } from '#contract/accesses.ts';
import { pathOf } from '../../api/call.ts';
import { Loaded } from '../../forms/loaded.tsx';
import { PatientIdForm } from '../../forms/patient-id-form.tsx';
import { useNavigate, useSearch } from '../../router/hooks.ts';
import { useSession } from '../../session/session.ts';
import { CardTable } from '../../ui/card-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { formatDate } from '../../ui/format/date.ts';
import { familyFirst } from '../../ui/format/name.ts';
import { Pager } from '../../ui/pager.tsx';
import { Empty } from '../../ui/states.tsx';
import classes from '../admin.module.css';
import { AdminPage } from '../admin-page.tsx';
import { accessesQuery, emergenciesQuery } from '../admin-queries.ts';
import type { AccessesSearch } from './accesses-search.ts';

/** Organizations whose users have read the record; they are not named. */
const Elsewhere = ({ elsewhere }: { elsewhere: readonly ReaderElsewhere[] }) =>
  elsewhere.length > 0 && (
    <>
      <Title order={2} mt="lg" mb="xs">
        Other organizations
      </Title>
      <CardTable
        label="Other organizations"
        rows={elsewhere.map((reader) => ({ ...reader, id: reader.organization }))}
        columns={[
          ['Organization', ({ organization }) => organization],
          ['Times read', ({ reads }) => reads.toLocaleString('en-US'), 'right'],
          [
            'In an emergency',
            ({ emergencies }) => (emergencies === 0 ? 'Never' : emergencies.toLocaleString('en-US')),
            'right',
          ],
          ['First', ({ firstDate }) => <DateTime value={firstDate} />],
          ['Last', ({ lastDate }) => <DateTime value={lastDate} />],
        ]}
      />
    </>
  );

const Accesses = ({ patient, page, go }: { patient: string; page: number; go: (page: number) => void }) => {
  const { team } = useSession();
  const query = useQuery(accessesQuery(patient, page));
  return (
    <Loaded query={query} what="list of accesses">
      {({ patient: who, accesses, numPages, elsewhere }) => (
        <>
          {who && (
            <Title order={2} mb="xs">
              {familyFirst(who)} · {who.dateOfBirth ? `Born ${formatDate(who.dateOfBirth)}` : 'Birth date not recorded'}
            </Title>
          )}
          {accesses.length + elsewhere.length === 0 ? (
            <Empty title="No one has seen this patient." />
          ) : (
            <>
              <Anchor
                href={pathOf('GET /api/patients/:id/accesses.csv', {
                  params: { id: patient },
                  query: { teamId: team.id },
                })}
                download
              >
                Download as CSV
              </Anchor>
              <CardTable
                label="Patient access"
                rows={accesses}
                columns={[
                  ['When', ({ date }) => <DateTime value={date} />],
                  ['Who', accessor],
                  ['Team or group', ({ team, opening }) => team?.name ?? opening?.group.name],
                  ['What', (access) => accessInWords(access, formatDate)],
                  ['IP address', ({ address }) => address ?? 'Not recorded'],
                ]}
              />
              <div className={classes.foot}>
                <span />
                <Pager page={page} pages={numPages} go={go} />
              </div>
              <Elsewhere elsewhere={elsewhere} />
            </>
          )}
        </>
      )}
    </Loaded>
  );
};

/** Who opened visits at the administrator's facilities in an emergency, and why. Nothing where no one did. */
const Emergencies = ({ choose }: { choose: (id: string) => void }) => {
  const { data: emergencies = [] } = useQuery(emergenciesQuery);
  if (emergencies.length === 0) return null;
  return (
    <section>
      <Title order={2} mb="xs">
        Emergency access to your facilities
      </Title>
      <CardTable
        label="Emergency access"
        rows={emergencies}
        columns={[
          ['When', ({ date }) => <DateTime value={date} />],
          ['Organization', ({ organization }) => organization],
          ['Facility', ({ facilities }) => facilities.join(', ')],
          ['Reason', ({ reason }) => reason],
          ['Medical emergency', ({ isMedicalEmergency }) => (isMedicalEmergency ? 'Yes' : 'No')],
          [
            'Patient',
            ({ patientId }) =>
              patientId && (
                <Button size="compact-xs" variant="default" onClick={() => choose(patientId)}>
                  Show access to {patientId}
                </Button>
              ),
          ],
        ]}
      />
    </section>
  );
};

/** Who has seen a patient. For administrators who may not view the patient, the page has no more than an ID. */
export const AccessesPage = () => {
  const { patient, p = 1 } = useSearch() as AccessesSearch;
  const navigate = useNavigate();
  const client = useQueryClient();
  const go = (search: AccessesSearch): void => void navigate({ to: '.', search });
  const choose = (id: string): void => {
    // Asking for the same patient again refreshes the list.
    void client.invalidateQueries({ queryKey: ['admin-accesses', id] });
    go({ patient: id });
  };
  return (
    <AdminPage
      title="Patient access"
      lead="Who on your organization's teams opened or changed a patient's record or was refused, what let them see visits at other facilities, and which other organizations opened the record. Kept for six years. Read-only."
    >
      {!patient && <Emergencies choose={choose} />}
      <PatientIdForm key={patient} patient={patient} choose={choose} className={classes.lookup}>
        <Button type="submit">Show access</Button>
      </PatientIdForm>
      {patient && (
        <Accesses patient={patient} page={p} go={(page) => go({ patient, ...(page > 1 ? { p: page } : {}) })} />
      )}
    </AdminPage>
  );
};
