import { Button, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { AccessKind, PatientAccess } from '#contract/accesses.ts';
import { Loaded } from '../../forms/loaded.tsx';
import { CardTable } from '../../ui/card-table.tsx';
import { formatDate, formatDateTime } from '../../ui/format/date.ts';
import { Pager } from '../../ui/pager.tsx';
import { Empty } from '../../ui/states.tsx';
import classes from '../admin.module.css';
import { AdminPage } from '../admin-page.tsx';
import { accessesQuery } from '../admin-queries.ts';
import { type AccessesSearch, patientIdIn } from './accesses-search.ts';

const KIND_WORDS: Record<AccessKind, string> = {
  opened: 'Opened',
  found: 'Found by search',
  listed: 'Listed on a page',
  similar: 'Shown in a warning about similar names',
  entered: 'Added the patient by hand',
  changed: 'Changed a status or entered an event',
  audited: 'Looked up who has seen the patient',
  readable: 'Made visits elsewhere readable',
  message: 'Read a message of the feed',
  replayed: 'Replayed a message of the feed',
  previewed: 'Previewed a message about the patient',
  matched: 'Read or decided who the patient is',
  refused: 'Was refused access',
};

const HOW: Record<NonNullable<PatientAccess['opening']>['how'], string> = {
  ROSTER: 'a roster lists the patient',
  MANUAL: 'the patient was added by hand',
  FEED: 'the facility’s own feed names the patient',
  REVIEW: 'a match was confirmed in review',
  PART2_LIFTED: 'the facility’s 42 CFR Part 2 mark was removed',
};

const nameOf = ({ by }: PatientAccess): string => (by === null ? 'Feed' : (by.name ?? `ID ${by.id}`));

function what({ kind, isBackground, opening }: PatientAccess): string {
  const words = KIND_WORDS[kind];
  if (opening === null) return isBackground ? `${words}, by an open page that refreshed itself` : words;
  const visits = opening.visits === 1 ? '1 visit' : `${opening.visits} visits`;
  const place = opening.how === 'PART2_LIFTED' ? 'another facility' : 'other organizations';
  return `${words}: ${visits} at ${place} since ${formatDate(opening.from)}, because ${HOW[opening.how]}`;
}

/** Asks for the patient, by ID or by the address of the patient's page. */
const PatientChoice = ({ patient, choose }: { patient: string | undefined; choose: (id: string) => void }) => {
  const [text, setText] = useState(patient ?? '');
  const [error, setError] = useState<string | null>(null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const id = patientIdIn(text);
    setError(id === null ? 'Enter a patient ID like 1234_5678, or paste the address of the patient’s page.' : null);
    if (id !== null) choose(id);
  };
  return (
    <form onSubmit={submit} className={classes.lookup}>
      <TextInput
        label="Patient ID"
        description="The end of the address of the patient's page"
        placeholder="1234_5678"
        value={text}
        error={error}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Button type="submit">Show access</Button>
    </form>
  );
};

const Accesses = ({ patient, page, go }: { patient: string; page: number; go: (page: number) => void }) => {
  const query = useQuery(accessesQuery(patient, page));
  return (
    <Loaded query={query} what="list of accesses">
      {({ accesses, numPages }) =>
        accesses.length === 0 ? (
          <Empty title="No one on your organization's teams has seen this patient." />
        ) : (
          <>
            <CardTable
              label="Patient access"
              rows={accesses}
              columns={[
                ['When', ({ date }) => <time dateTime={date}>{formatDateTime(date)}</time>],
                ['Who', nameOf],
                ['Team or group', ({ team, opening }) => team?.name ?? opening?.group.name],
                ['What', what],
                ['IP address', ({ address }) => address ?? 'Not recorded'],
              ]}
            />
            <div className={classes.foot}>
              <span />
              <Pager page={page} pages={numPages} go={go} />
            </div>
          </>
        )
      }
    </Loaded>
  );
};

/** Who has seen a patient. The page knows the patient by ID only, because administrators may not see patients. */
export const AccessesPage = () => {
  const { patient, p = 1 } = useSearch({ strict: false }) as AccessesSearch;
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
      lead="Who on your organization's teams has seen or changed a patient's record or was refused, and what made visits elsewhere readable. Kept for six years. Read-only."
    >
      <PatientChoice key={patient} patient={patient} choose={choose} />
      {patient && (
        <Accesses patient={patient} page={p} go={(page) => go({ patient, ...(page > 1 ? { p: page } : {}) })} />
      )}
    </AdminPage>
  );
};
