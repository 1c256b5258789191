import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { EVENT_LABELS } from '#contract/event-codes.ts';
import type { Patient } from '#contract/patients.ts';
import type { Ping } from '#contract/pings.ts';
import { loadChunk } from '../errors/load-chunk.ts';
import { Amended } from '../patient/amended.tsx';
import { reportedByLink } from '../patient/as-reported.ts';
import { EventIcon } from '../patient/event-icon.tsx';
import { EventPhrase } from '../patient/event-phrase.tsx';
import { origin } from '../patient/phrases.ts';
import { PingLinks } from '../patient/ping-links.tsx';
import { eventTime, formatDateTime, formatMinutes } from '../ui/format/date.ts';
import { useLoaded } from '../ui/use-loaded.ts';
import { useNow } from '../ui/use-now.ts';
import { useWidth } from '../ui/use-width.ts';
import { targetsOf } from './changed-stay.ts';
import { LateBadge, ReasonBadge, StatusBadge } from './ping-badges.tsx';
import classes from './ping-detail.module.css';
import { ResolutionForm } from './resolution-form.tsx';
import type { Change, Choice, Shown, Unsaved } from './status-change.ts';
// Loaded with the detail, so that no change waits for it.
import './send-change.ts';
import { StatusActions } from './status-panel.tsx';
import type { StatusControl } from './use-inbox.ts';
import { WorkPanel } from './work-panel.tsx';

const loadConflictNotice = () =>
  loadChunk('conflict-notice', () => import('./conflict-notice.tsx')).then((file) => file.ConflictNotice);

/** The status of the open ping, and what can be done about it. */
export interface LeadControls {
  statusControl: StatusControl;
  setStatusControl: (control: StatusControl) => void;
  unsaved: Unsaved | null;
  takeTheirs: () => Promise<void>;
  /** Sends an unsaved change again, over the ping as it is now. */
  keepMine: () => Promise<void>;
  send: (change: Change) => void;
  /** Takes `undo` back until the next change. */
  noteUndo: (undo: () => void) => void;
}

/** A ping that a consent, a list or a match opened was made later than its message came. In minutes. */
const SAME_RECEIPT = 5;

/** Returns how long after the event its message came. */
const receiptInWords = ({ entryDelay, createdDate, eventDate }: Ping): string => {
  if (entryDelay === 0) return '';
  const after = `${formatMinutes(entryDelay)} after the event`;
  const opened = (Date.parse(createdDate) - Date.parse(eventDate)) / 60_000;
  return opened - entryDelay > SAME_RECEIPT ? `. The facility reported it ${after}` : `, ${after}`;
};

/** What happened, what can be done about it, where, when, and how it was reported. */
const Headline = ({ ping, now, status, actions }: { ping: Ping; now: Date; status: ReactNode; actions: ReactNode }) => (
  <div>
    <div className={classes.head}>
      <div className={classes.event}>
        <span className={classes.phrase}>
          <EventIcon ping={ping} />
          <span>
            <EventPhrase ping={ping} /> {ping.state === 'CANCELLED' && 'Canceled'}
          </span>
        </span>
        {ping.state === 'AMENDED' && (
          <span className={classes.dim}>
            <Amended ping={ping} />
          </span>
        )}
        {status}
      </div>
      {actions}
    </div>
    <div className={classes.dim}>
      {[ping.facility.name, origin(ping)].filter(Boolean).join(' · ')} ·{' '}
      <time dateTime={ping.eventDate}>{eventTime(ping.eventDate, ping.facility.timeZone, now)}</time>
    </div>
    <div className={classes.dim}>
      Received {formatDateTime(ping.createdDate, ping.facility.timeZone)}
      {ping.datedByReceipt && '. The facility sent no usable time, so this is the time of the event above'}
      {receiptInWords(ping)}
      {ping.inferred && '. Not reported by the facility; inferred from a later message'}
      {ping.manual && '. Entered manually'}
      {ping.reportedByLink && `. ${reportedByLink(ping.reportedByLink)}`}
    </div>
    {(ping.reason || ping.late) && (
      <div className={classes.badges}>
        {ping.reason && <ReasonBadge reason={ping.reason} />}
        {ping.late && <LateBadge />}
      </div>
    )}
  </div>
);

interface LeadProps {
  patient: Patient;
  ping: Ping;
  /** Whether the reader chose this ping out of the stay, so that changes are about it alone. */
  single?: boolean;
  /** Goes back to the whole stay. */
  showStay?: (() => void) | undefined;
}

/** Returns an event by its name, and says if it was canceled. */
const openEvent = ({ status, state }: Ping): string =>
  `${EVENT_LABELS[status]}${state === 'CANCELLED' ? ' (canceled)' : ''}`;

/** Returns what opened the stay again: an admission and a changed payer ask for different things. */
const openerOf = ({ card, currentPingEncounter: stay }: Patient): string => {
  const open = card?.open.map(({ eventIdentifier }) => eventIdentifier) ?? [];
  const [first] = (stay?.pings ?? [])
    .filter(({ eventIdentifier }) => open.includes(eventIdentifier))
    .toSorted((a, b) => a.createdDate.localeCompare(b.createdDate));
  return first ? ` by a new event: ${EVENT_LABELS[first.status]}.` : ' by a new event.';
};

/** Says that the patient left the last roster of the team: such pings were closed, and no others come. */
const LeftRoster = ({ patient: { listings } }: Pick<LeadProps, 'patient'>) => {
  const left = listings.flatMap(({ leftAt, ...listing }) => (leftAt ? [{ ...listing, leftAt }] : []));
  const last = left.toSorted((a, b) => Date.parse(b.leftAt) - Date.parse(a.leftAt))[0];
  if (last?.groupType !== 'PROGRAM' || left.length < listings.length) return null;
  return (
    <Text size="sm">
      No longer on {last.groupName}'s roster since <time dateTime={last.leftAt}>{formatDateTime(last.leftAt)}</time>.
    </Text>
  );
};

/** Says which pings a change is about, if that is not the one above alone. */
const Scope = ({ patient, ping, single = false, showStay }: LeadProps) => {
  const targets = targetsOf({ patient, ping, single });
  const isOther = targets.length > 1 || targets[0]?.eventIdentifier !== ping.eventIdentifier;
  if (single && showStay)
    return (
      <Text c="dimmed" size="sm" data-no-print>
        Changes apply only to this ping.{' '}
        <Anchor component="button" type="button" inherit onClick={showStay}>
          Show the whole stay
        </Anchor>
      </Text>
    );
  return (
    !single &&
    isOther && (
      <Text c="dimmed" size="sm" data-no-print>
        {targets.length > 1
          ? `Changes apply to ${targets.length === 2 ? 'both' : `all ${targets.length}`} open pings of this stay.`
          : `Still open in this stay: ${openEvent(targets[0] as Ping)}. Changes apply to it.`}
        {showStay && ' To change only one, select it below.'}
      </Text>
    )
  );
};

/** What happened, and what was and can be done about it: about the whole stay, or about one ping that the reader chose. */
export const PingLead = ({
  patient,
  ping,
  statusControl: control,
  setStatusControl: setControl,
  unsaved,
  takeTheirs,
  keepMine,
  single = false,
  showStay,
  send,
  noteUndo,
}: LeadControls & LeadProps) => {
  const now = useNow();
  const { card } = patient;
  // Of an event that the team got no ping for, such as its own facility's, there is no status and nothing to explain.
  const mayChange = card?.abilities.change ?? false;
  const choose = (choice: Choice, seen: Shown = { patient, ping }): void => send({ ...seen, single, choice });
  const ConflictNotice = useLoaded(loadConflictNotice, unsaved !== null);
  // On a phone toasts lie over the upper part.
  const isBelow = useWidth() === 'narrow';
  const retracted = targetsOf({ patient, ping, single }).every(({ state }) => state === 'CANCELLED');
  const actions = mayChange && <StatusActions {...{ ping, retracted, control, setControl, choose }} />;
  return (
    <div className={classes.lead}>
      <Headline
        ping={ping}
        now={now}
        status={card && <StatusBadge status={ping.currentManagementStatus.status} />}
        actions={!isBelow && actions}
      />
      {!single && card && (card.otherReasons.length > 0 || card.reopened) && (
        <div className={classes.badges}>
          {card.otherReasons.map((reason) => (
            <ReasonBadge key={reason.code} reason={reason} />
          ))}
          {card.reopened && (
            <Text size="sm">
              Reopened {formatDateTime(card.reopened.date)}
              {card.reopened.why === null ? openerOf(patient) : `. ${card.reopened.why}`}
              {card.reopened.closedBy && ` Closed before that by ${card.reopened.closedBy}.`}
            </Text>
          )}
        </div>
      )}
      <LeftRoster patient={patient} />
      {card && <PingLinks patientId={patient.id} ping={ping} hasKey />}
      {unsaved && ConflictNotice && (
        <ConflictNotice
          unsaved={unsaved}
          keepMine={() => void keepMine()}
          takeTheirs={() => void takeTheirs().catch(() => {})}
        />
      )}
      {isBelow && actions}
      <ResolutionForm
        patient={patient}
        reasons={card?.abilities.resolutions ?? []}
        scope={(seen) => <Scope {...seen} single={single} showStay={showStay} />}
        {...{ ping, single, retracted, mayChange, control, setControl, choose }}
      />
      {!single && (
        <WorkPanel
          patient={patient}
          isOpen={Boolean(card?.open.length)}
          control={control}
          setControl={setControl}
          noteUndo={noteUndo}
        />
      )}
      {mayChange && control !== 'resolve' && (
        <Scope patient={patient} ping={ping} single={single} showStay={showStay} />
      )}
    </div>
  );
};
