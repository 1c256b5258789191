import { Anchor, Button, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { MANAGEMENT_STATUS_LABELS } from '#contract/management-status.ts';
import type { Patient } from '#contract/patients.ts';
import { reasonOf } from '../api/error.ts';
import { announce } from '../ui/announcer.tsx';
import { familyFirst } from '../ui/format/name.ts';
import { showToast } from '../ui/toasts.tsx';
import { counted } from '../ui/use-announced.ts';
import classes from './bulk-bar.module.css';
import { changeMany, loadAll, MOST_ROWS, type Outcome } from './change-many.ts';
import { ResolvePanel } from './resolve-panel.tsx';
import type { Choice } from './status-change.ts';
import type { Inbox } from './use-inbox.ts';

/** More rows than this, a page, are asked about before they are changed. */
const WITHOUT_ASKING = 20;

const count = (n: number): string => n.toLocaleString('en-US');

/** Which rows a change is about: stays, and the people whose stays they are. */
const about = (patients: readonly Patient[]): string => {
  const people = new Set(patients.map(({ id }) => id.slice(0, id.indexOf('_'))));
  return `${counted(patients.length, 'stay', 'stays')} of ${counted(people.size, 'patient', 'patients')}`;
};

/** Rows that were not changed, with the reason of each. */
const Failures = ({ failed, open }: Pick<Outcome, 'failed'> & { open: (id: string) => void }) => (
  <ul className={classes.failed}>
    {failed.map(({ patient, why }) => (
      <li key={patient.id}>
        <Anchor component="button" type="button" onClick={() => open(patient.id)}>
          {familyFirst(patient)}
        </Anchor>
        : {why}
      </li>
    ))}
  </ul>
);

/** What the user is asked before rows change. */
type Question = 'resolve' | Choice | null;

/** The rows that are selected, of this page and of others, and what selects more of them. */
const useSelection = ({ rows, picked, pick, list }: Inbox) => {
  const [loaded, setLoaded] = useState<ReadonlyMap<string, Patient>>(new Map());
  const known = new Map([...loaded, ...rows.map((row) => [row.id, row] as const)]);
  const all = useMutation({
    mutationFn: () => loadAll(list.parameters),
    onSuccess: (found) => {
      setLoaded(new Map(found.map((patient) => [patient.id, patient])));
      pick(found.map(({ id }) => id));
      announce(`${about(found)} selected.`);
    },
  });
  return { patients: [...picked].flatMap((id) => known.get(id) ?? []), all };
};

/** Changes the selected rows. Those that fail stay selected. */
const useChange = ({ list, pick, changes }: Inbox, patients: readonly Patient[], done: () => void) => {
  const client = useQueryClient();
  const [finished, setFinished] = useState(0);
  const change = useMutation({
    mutationFn: (choice: Choice) => changeMany({ client, list, patients, choice, onProgress: setFinished }),
    onMutate: () => setFinished(0),
    onSuccess: (outcome, { status }) => {
      const { failed, undo } = outcome;
      done();
      pick(failed.map(({ patient }) => patient.id));
      const not = failed.length > 0 ? `, ${count(failed.length)} not` : '';
      const told = `${MANAGEMENT_STATUS_LABELS[status]}: ${count(outcome.done)} done${not}.`;
      announce(told);
      if (outcome.done === 0) return;
      const run = (): void => void undo();
      changes.noteUndo(run);
      showToast({ type: 'success', message: told, action: { label: 'Undo', run } });
    },
  });
  return { change, finished };
};

type Selection = ReturnType<typeof useSelection>;

/** How many rows are selected, and what selects more or none. */
const Selected = ({ inbox, all }: { inbox: Inbox } & Pick<Selection, 'all'>) => {
  const { rows, picked, pick, page } = inbox;
  const total = page.data?.total ?? rows.length;
  const isPage = rows.every(({ id }) => picked.has(id));
  const hasMore = isPage && picked.size < Math.min(total, MOST_ROWS);
  return (
    <div className={classes.line}>
      <span className={classes.count}>{count(picked.size)} selected</span>
      {!isPage && (
        <Button size="compact-sm" variant="subtle" onClick={() => pick(rows.map(({ id }) => id))}>
          Select this page
        </Button>
      )}
      {hasMore && (
        <Button size="compact-sm" variant="subtle" loading={all.isPending} onClick={() => all.mutate()}>
          {total > MOST_ROWS
            ? `Select the first ${count(MOST_ROWS)} of ${count(total)}`
            : `Select all ${count(total)} matching`}
        </Button>
      )}
      <Button size="compact-sm" variant="subtle" color="gray" onClick={() => pick([])}>
        Clear
      </Button>
      {all.error && (
        <Text size="sm" role="alert">
          The other pages weren't selected. {reasonOf(all.error)}
        </Text>
      )}
    </div>
  );
};

/** Asks for the reasons of a resolution, or whether so many rows are meant. */
const Asked = ({
  question,
  patients,
  isPending,
  choose,
  cancel,
}: {
  question: Exclude<Question, null>;
  patients: readonly Patient[];
  isPending: boolean;
  choose: (choice: Choice) => void;
  cancel: () => void;
}) =>
  question === 'resolve' ? (
    <>
      <Text fw={600}>Resolve {about(patients)}</Text>
      <ResolvePanel
        patientId="selection"
        eventIdentifier="selection"
        backOnCensus={patients.every(({ card }) => card?.abilities.backOnCensus)}
        cancel={cancel}
        choose={choose}
      />
    </>
  ) : (
    <div className={classes.line}>
      <Text fw={600}>
        {MANAGEMENT_STATUS_LABELS[question.status]}: {about(patients)}?
      </Text>
      <Button size="xs" loading={isPending} onClick={() => choose(question)}>
        Change {count(patients.length)}
      </Button>
      <Button size="xs" variant="default" onClick={cancel}>
        Cancel
      </Button>
    </div>
  );

/** Selects rows and changes the status of their stays; below the list while a row is selected. */
export const BulkBar = ({ inbox }: { inbox: Inbox }) => {
  const [question, ask] = useState<Question>(null);
  const { patients, all } = useSelection(inbox);
  const { change, finished } = useChange(inbox, patients, () => ask(null));
  const choose = (choice: Choice): void => {
    if (patients.length > WITHOUT_ASKING) ask(choice);
    else change.mutate(choice);
  };
  return (
    <section className={classes.bar} aria-label="Selected pings">
      <Selected inbox={inbox} all={all} />
      {question === null ? (
        <div className={classes.line}>
          <Button size="xs" disabled={change.isPending} onClick={() => ask('resolve')}>
            Resolve…
          </Button>
          {(['IN_PROGRESS', 'DISMISSED', 'NEW'] as const)
            .filter((status) => status !== inbox.list.status)
            .map((status) => (
              <Button
                key={status}
                size="xs"
                variant="default"
                disabled={change.isPending}
                onClick={() => choose({ status })}
              >
                {MANAGEMENT_STATUS_LABELS[status]}
              </Button>
            ))}
        </div>
      ) : (
        <Asked
          question={question}
          patients={patients}
          isPending={change.isPending}
          choose={(choice) => change.mutate(choice)}
          cancel={() => ask(null)}
        />
      )}
      {change.isPending && (
        <Text size="sm" role="status">
          {count(finished)} of {count(patients.length)} saved…
        </Text>
      )}
      {change.data && change.data.failed.length > 0 && <Failures failed={change.data.failed} open={inbox.open} />}
    </section>
  );
};
