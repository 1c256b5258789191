import { Anchor, Button, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { INBOX_LISTS, type InboxListCode } from '#contract/inbox-lists.ts';
import { MANAGEMENT_STATUS_LABELS, RESOLUTIONS } from '#contract/management-status.ts';
import type { Patient } from '#contract/patients.ts';
import { reasonOf } from '../api/error.ts';
import { forgetDraft } from '../session/drafts.ts';
import { useSession } from '../session/session.ts';
import { announce } from '../ui/announcer.tsx';
import { familyFirst } from '../ui/format/name.ts';
import { IconChevronDown } from '../ui/icons.ts';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { useWidth } from '../ui/use-width.ts';
import classes from './bulk-bar.module.css';
import { changeMany, MOST_RENEWED, MOST_ROWS, type Outcome, shareMany } from './change-many.ts';
import { choiceInWords } from './change-work.ts';
import { ChooseColleague } from './choose-colleague.tsx';
import { ChooseWait } from './choose-wait.tsx';
import { offerUndo } from './offer-undo.ts';
import { ResolvePanel } from './resolve-panel.tsx';
import { changesSince } from './selected-stay.ts';
import { resolutionDraft } from './status-change.ts';
import type { Inbox } from './use-inbox.ts';
import type { BulkChoice, Question } from './use-picks.ts';
import { about, type Selection, useSelection } from './use-selection.ts';

/** In place of a patient and an event, in what was typed for the selected rows. */
const SELECTION = 'selection';

/** More rows than this, a page, are asked about before they are changed. */
const WITHOUT_ASKING = 20;

const count = (n: number): string => n.toLocaleString('en-US');

/** Rows by name, with what is to be said about each. */
const Reasons = ({ rows, open }: { rows: Outcome['failed']; open: (id: string) => void }) =>
  rows.length > 0 && (
    <ul className={classes.failed}>
      {rows.map(({ patient, why }) => (
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

/** Changes the selected rows. */
const useChange = ({ list, pick, changes }: Inbox, { stays, renew }: Selection, close: () => void) => {
  const client = useQueryClient();
  const { user } = useSession();
  const [finished, setFinished] = useState(0);
  const change = useMutation({
    mutationFn: (choice: BulkChoice) =>
      'kind' in choice
        ? shareMany({ client, user, stays, choice, onProgress: setFinished })
        : changeMany({ client, list, user, stays, choice, onProgress: setFinished }),
    onMutate: () => setFinished(0),
    onSuccess: (outcome, choice) => {
      const { failed, unseen, undo } = outcome;
      if (failed.length === 0) forgetDraft(resolutionDraft(SELECTION));
      close();
      // Rows with something left to do stay selected, with the reasons.
      pick([...failed, ...unseen].map(({ patient }) => patient));
      // Without any, what was selected before would be selected again.
      if (failed.length > 0) void renew(failed.slice(0, MOST_RENEWED).map(({ patient }) => patient));
      const not = failed.length > 0 ? `, ${count(failed.length)} not` : '';
      const later = unseen.length > 0 ? `, ${count(unseen.length)} with a new event` : '';
      const [only] = stays;
      const told =
        only && stays.length === 1 && !not && !later
          ? `${familyFirst(only.now)}: ${labelOf(choice, user.id)}.`
          : `${labelOf(choice, user.id)}: ${count(outcome.done)} done${not}${later}.`;
      announce(told);
      if (outcome.done === 0) return;
      offerUndo(told, () => void undo(), changes.noteUndo);
    },
  });
  return { change, finished };
};

/** What happened to selected stays since: a change leaves it alone, until the user selects it too. */
const Since = ({ inbox, stays, renewPicks }: { inbox: Inbox } & Pick<Selection, 'stays' | 'renewPicks'>) => {
  const { user } = useSession();
  const changed = stays.flatMap((stay) => {
    const why = changesSince(stay, user).join('; ');
    return why ? [{ patient: stay.now, why }] : [];
  });
  return (
    <>
      <div role="status">
        {changed.length > 0 && <Text size="sm">Changed after you selected. Not included in what you do now:</Text>}
        <Reasons rows={changed} open={inbox.open} />
      </div>
      {changed.length > 0 && (
        <div>
          <Button size="compact-sm" variant="default" onClick={() => renewPicks(changed.map(({ patient }) => patient))}>
            Include these changes
          </Button>
        </div>
      )}
    </>
  );
};

/** How many rows are selected, and what selects more or none. */
const Selected = ({
  inbox,
  patients,
  all,
}: { inbox: Inbox; patients: readonly Patient[] } & Pick<Selection, 'all'>) => {
  const { rows, picked, pick, page } = inbox;
  const isPhone = useWidth() === 'narrow';
  const total = page.data?.total ?? rows.length;
  const isPage = rows.every(({ id }) => picked.has(id));
  const hasMore = isPage && picked.size < Math.min(total, MOST_ROWS);
  return (
    <div className={classes.line}>
      <span className={classes.count}>{isPhone ? count(patients.length) : about(patients)} selected</span>
      {!isPage && (
        <Button size="compact-sm" variant="subtle" onClick={() => pick(rows)}>
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
        scope={SELECTION}
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
  const { stays, all } = selection;
  const patients = stays.map(({ now }) => now);
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
      {!change.isPending && <Since inbox={inbox} stays={stays} renewPicks={selection.renewPicks} />}
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
      {change.data && <Reasons rows={[...change.data.failed, ...change.data.unseen]} open={inbox.open} />}
    </section>
  );
};
