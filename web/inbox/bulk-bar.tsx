import { Anchor, Button, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { counted } from '#contract/counted.ts';
import { INBOX_LISTS, type InboxListCode } from '#contract/inbox-lists.ts';
import { MANAGEMENT_STATUS_LABELS, RESOLUTIONS } from '#contract/management-status.ts';
import type { Patient } from '#contract/patients.ts';
import { reasonOf } from '../api/error.ts';
import { patientQuery } from '../patient/patient-query.ts';
import { forgetDraft } from '../session/drafts.ts';
import { useSession } from '../session/session.ts';
import { announce } from '../ui/announcer.tsx';
import { familyFirst } from '../ui/format/name.ts';
import { IconChevronDown } from '../ui/icons.ts';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { useWidth } from '../ui/use-width.ts';
import classes from './bulk-bar.module.css';
import { changeMany, loadAll, MOST_RENEWED, MOST_ROWS, type Outcome, shareMany } from './change-many.ts';
import { choiceInWords } from './change-work.ts';
import { ChooseColleague } from './choose-colleague.tsx';
import { ChooseWait } from './choose-wait.tsx';
import { putPatient } from './inbox-queries.ts';
import { offerUndo } from './offer-undo.ts';
import { ResolvePanel } from './resolve-panel.tsx';
import { resolutionDraft } from './status-change.ts';
import type { Inbox } from './use-inbox.ts';
import type { BulkChoice, Question } from './use-picks.ts';

/** In place of a patient and an event, in what was typed for the selected rows. */
const SELECTION = 'selection';

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

const labelOf = (choice: BulkChoice, userId: string): string =>
  'kind' in choice ? choiceInWords(choice, userId) : MANAGEMENT_STATUS_LABELS[choice.status];

/** The rows that are selected, of this page and of others, and what selects more of them. */
const useSelection = ({ rows, picked, pick, list, live }: Inbox) => {
  const client = useQueryClient();
  const [loaded, setLoaded] = useState<ReadonlyMap<string, Patient>>(new Map());
  const known = new Map([...loaded, ...rows.map((row) => [row.id, row] as const)]);
  const all = useMutation({
    mutationFn: () => loadAll(list.parameters),
    onSuccess: (matching) => {
      // What waits behind the bar above the list has been seen by nobody here.
      const found = matching.filter(({ id }) => !live.isWaiting(id));
      setLoaded(new Map(found.map((patient) => [patient.id, patient])));
      pick(found.map(({ id }) => id));
      announce(`${about(found)} selected.`);
    },
  });
  /** Loads rows of other pages again that were refused: someone has changed them, and as they were they would be refused each time. */
  const renew = async (patients: readonly Patient[]): Promise<void> => {
    const current = await Promise.all(
      patients.map((patient) => client.fetchQuery({ ...patientQuery(patient.id), staleTime: 0 }).catch(() => patient)),
    );
    setLoaded((before) => new Map([...before, ...current.map((patient) => [patient.id, patient] as const)]));
    for (const patient of current) putPatient(client, patient);
  };
  return { patients: [...picked].flatMap((id) => known.get(id) ?? []), all, renew };
};

type Selection = ReturnType<typeof useSelection>;

/** Changes the selected rows. Those that fail stay selected. */
const useChange = ({ list, pick, changes }: Inbox, { patients, renew }: Selection, close: () => void) => {
  const client = useQueryClient();
  const { user } = useSession();
  const [finished, setFinished] = useState(0);
  const change = useMutation({
    mutationFn: (choice: BulkChoice) =>
      'kind' in choice
        ? shareMany({ client, user, patients, choice, onProgress: setFinished })
        : changeMany({ client, list, user, patients, choice, onProgress: setFinished }),
    onMutate: () => setFinished(0),
    onSuccess: (outcome, choice) => {
      const { failed, undo } = outcome;
      // Rows that failed stay selected, with the reasons.
      if (failed.length === 0) forgetDraft(resolutionDraft(SELECTION));
      close();
      pick(failed.map(({ patient }) => patient.id));
      void renew(failed.slice(0, MOST_RENEWED).map(({ patient }) => patient));
      const not = failed.length > 0 ? `, ${count(failed.length)} not` : '';
      const [only] = patients;
      const told =
        only && patients.length === 1 && failed.length === 0
          ? `${familyFirst(only)}: ${labelOf(choice, user.id)}.`
          : `${labelOf(choice, user.id)}: ${count(outcome.done)} done${not}.`;
      announce(told);
      if (outcome.done === 0) return;
      offerUndo(told, () => void undo(), changes.noteUndo);
    },
  });
  return { change, finished };
};

/** How many rows are selected, and what selects more or none. */
const Selected = ({ inbox, patients, all }: { inbox: Inbox } & Omit<Selection, 'renew'>) => {
  const { rows, picked, pick, page } = inbox;
  const isPhone = useWidth() === 'narrow';
  const total = page.data?.total ?? rows.length;
  const isPage = rows.every(({ id }) => picked.has(id));
  const hasMore = isPage && picked.size < Math.min(total, MOST_ROWS);
  return (
    <div className={classes.line}>
      <span className={classes.count}>{isPhone ? count(patients.length) : about(patients)} selected</span>
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
  choose: (choice: BulkChoice) => void;
  cancel: () => void;
}) => {
  const { user } = useSession();
  if (question === 'assign')
    return (
      <ChooseColleague
        label={`Assign ${about(patients)} to`}
        withSelf
        clear={() => choose({ kind: 'assign', to: null })}
        choose={(to) => choose({ kind: 'assign', to })}
        cancel={cancel}
      />
    );
  if (question === 'snooze')
    return <ChooseWait choose={(until) => choose({ kind: 'snooze', until })} cancel={cancel} />;
  return question === 'resolve' ? (
    <>
      <Text fw={600}>Resolve {about(patients)}</Text>
      <ResolvePanel
        patientId={SELECTION}
        eventIdentifier={SELECTION}
        offered={RESOLUTIONS.filter((code) => patients.every(({ card }) => card?.abilities.resolutions.includes(code)))}
        cancel={cancel}
        choose={choose}
      />
    </>
  ) : (
    <div className={classes.line}>
      <Text fw={600}>
        {labelOf(question, user.id)}: {about(patients)}?
      </Text>
      <Button size="xs" loading={isPending} onClick={() => choose(question)}>
        Change {count(patients.length)}
      </Button>
      <Button size="xs" variant="default" onClick={cancel}>
        Cancel
      </Button>
    </div>
  );
};

/** What can be done with the rows. On a phone all but the first are in a menu, or they would lie over the list. */
const Choices = ({
  code,
  isPending,
  ask,
  choose,
}: {
  code: InboxListCode;
  isPending: boolean;
  ask: (question: Question) => void;
  choose: (choice: BulkChoice) => void;
}) => {
  const isPhone = useWidth() === 'narrow';
  const others = [
    ...(['IN_PROGRESS', 'DISMISSED', 'NEW'] as const)
      .filter((status) => INBOX_LISTS[code].statuses.some((one) => one !== status))
      .map((status) => ({ label: MANAGEMENT_STATUS_LABELS[status], run: () => choose({ status }) })),
    { label: 'Assign…', run: () => ask('assign') },
    { label: 'Snooze…', run: () => ask('snooze') },
  ];
  return (
    <div className={classes.line}>
      <Button size="xs" disabled={isPending} onClick={() => ask('resolve')}>
        Resolve…
      </Button>
      {isPhone ? (
        <Menu
          label="More changes"
          trigger={(button) => (
            <Button
              {...button}
              size="xs"
              variant="default"
              disabled={isPending}
              rightSection={<IconChevronDown size={16} stroke={1.75} aria-hidden />}
            >
              More
            </Button>
          )}
        >
          {others.map(({ label, run }) => (
            <MenuItem key={label} choose={run}>
              {label}
            </MenuItem>
          ))}
        </Menu>
      ) : (
        others.map(({ label, run }) => (
          <Button key={label} size="xs" variant="default" disabled={isPending} onClick={run}>
            {label}
          </Button>
        ))
      )}
    </div>
  );
};

/** Selects rows and changes the status of their stays; below the list while a row is selected. */
export const BulkBar = ({ inbox }: { inbox: Inbox }) => {
  const { question, ask } = inbox;
  const selection = useSelection(inbox);
  const { patients, all } = selection;
  const { change, finished } = useChange(inbox, selection, () => ask(null));
  // The reasons chosen for these rows are not those of the next selection.
  useEffect(() => () => forgetDraft(resolutionDraft(SELECTION)), []);
  const choose = (choice: BulkChoice): void => {
    if (patients.length > WITHOUT_ASKING) ask(choice);
    else change.mutate(choice);
  };
  return (
    <section className={classes.bar} aria-label="Selected pings">
      <Selected inbox={inbox} patients={patients} all={all} />
      {question === null || change.isPending ? (
        <Choices code={inbox.list.code} isPending={change.isPending} ask={ask} choose={choose} />
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
