import { Anchor, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { EVENT_LABELS } from '#contract/event-codes.ts';
import type { Patient } from '#contract/patients.ts';
import type { Ping } from '#contract/pings.ts';
import { ApiError } from '../api/error.ts';
import { loadChunk } from '../errors/load-chunk.ts';
import { ehrShowsBanner } from '../patient/ehr-shows-banner.ts';
import { EventIcon } from '../patient/event-icon.tsx';
import { EventPhrase } from '../patient/event-phrase.tsx';
import { PatientBanner } from '../patient/patient-banner.tsx';
import { PatientLinks } from '../patient/patient-links.tsx';
import { patientQuery } from '../patient/patient-query.ts';
import { PatientTags } from '../patient/patient-tags.tsx';
import { origin } from '../patient/phrases.ts';
import { inWords, ShownPatient } from '../patient/shown-patient.ts';
import { SimilarPatients } from '../patient/similar-patients.tsx';
import { useSession } from '../session/session.ts';
import { eventTime, formatDateTime, formatMinutes } from '../ui/format/date.ts';
import { Empty, Failed, NoPermission } from '../ui/states.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { useNow } from '../ui/use-now.ts';
import { headlineOf } from './card.ts';
import { targetsOf } from './changed-stay.ts';
import { Diagnoses, People, StayFacts } from './detail-facts.tsx';
import { LateBadge, ReasonBadge, StatusBadge } from './ping-badges.tsx';
import classes from './ping-detail.module.css';
import type { Change, Unsaved } from './status-change.ts';
// Loaded with the detail, so that no change waits for it.
import './send-change.ts';
import { StatusHistory } from './status-history.tsx';
import { StatusPanel } from './status-panel.tsx';
import { StayPings, useUnread } from './stay-pings.tsx';
import type { StatusControl } from './use-inbox.ts';

const loadConflictNotice = () =>
  loadChunk('conflict-notice', () => import('./conflict-notice.tsx')).then((file) => file.ConflictNotice);

const loadContactLog = () =>
  loadChunk('contact-log', () => import('../contact-attempts/contact-log.tsx')).then((file) => file.ContactLog);

interface Props {
  id: string;
  /** The patient as the list has it, shown until the answer arrives. */
  row: Patient | undefined;
  statusControl: StatusControl;
  setStatusControl: (control: StatusControl) => void;
  unsaved: Unsaved | null;
  takeTheirs: () => Promise<void>;
  /** Sends an unsaved change again, over the ping as it is now. */
  keepMine: () => Promise<void>;
  send: (change: Change) => void;
}

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={classes.section}>
    <h3>{title}</h3>
    {children}
  </section>
);

/** What happened, where, when, and how it was reported. */
const Headline = ({ ping, now }: { ping: Ping; now: Date }) => (
  <div>
    <div className={classes.event}>
      <EventIcon ping={ping} />
      <span>
        <EventPhrase ping={ping} /> {ping.state === 'CANCELLED' && 'Canceled'}
      </span>
      {ping.state === 'AMENDED' && <span className={classes.dim}>Amended</span>}
      <StatusBadge status={ping.currentManagementStatus.status} />
    </div>
    <div className={classes.dim}>
      {[ping.facility.name, origin(ping)].filter(Boolean).join(' · ')} ·{' '}
      <time dateTime={ping.eventDate}>{eventTime(ping.eventDate, ping.facility.timeZone, now)}</time>
    </div>
    <div className={classes.dim}>
      Received {formatDateTime(ping.createdDate)}
      {ping.datedByReceipt && '. The facility sent no usable time, so this is the time of the event above'}
      {ping.entryDelay > 0 && `, ${formatMinutes(ping.entryDelay)} after the event`}
      {ping.inferred && '. Not reported by the facility; inferred from a later message'}
      {ping.manual && '. Entered manually'}
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
  showStay?: () => void;
}

/** What happened, and what was and can be done about it: about the whole stay, or about one ping that the reader chose. */
export const PingLead = ({
  patient,
  ping,
  statusControl,
  setStatusControl,
  unsaved,
  takeTheirs,
  keepMine,
  single = false,
  showStay,
  send,
}: Omit<Props, 'id' | 'row'> & LeadProps) => {
  const { can } = useSession();
  const now = useNow();
  const { card } = patient;
  const targets = targetsOf({ patient, ping, single });
  const isOther = targets.length > 1 || targets[0]?.eventIdentifier !== ping.eventIdentifier;
  const ConflictNotice = useLoaded(loadConflictNotice, unsaved !== null);
  return (
    <div className={classes.lead}>
      <Headline ping={ping} now={now} />
      {!single && card && (card.otherReasons.length > 0 || card.reopened) && (
        <div className={classes.badges}>
          {card.otherReasons.map((reason) => (
            <ReasonBadge key={reason.code} reason={reason} />
          ))}
          {card.reopened && (
            <Text size="sm">
              Reopened {formatDateTime(card.reopened.date)} by a new event. Closed before that by{' '}
              {card.reopened.closedBy}.
            </Text>
          )}
        </div>
      )}
      {unsaved && ConflictNotice && (
        <ConflictNotice
          unsaved={unsaved}
          keepMine={() => void keepMine()}
          takeTheirs={() => void takeTheirs().catch(() => {})}
        />
      )}
      {can('canManagePings') && (
        <StatusPanel
          patientId={patient.id}
          ping={ping}
          backOnCensus={card?.abilities.backOnCensus ?? false}
          control={statusControl}
          setControl={setStatusControl}
          choose={(choice) => send({ patient, ping, single, choice })}
        />
      )}
      {can('canManagePings') && !single && isOther && (
        <Text c="dimmed" size="sm">
          {targets.length > 1
            ? `Changes apply to all ${targets.length} open pings of this stay.`
            : `Still open in this stay: ${EVENT_LABELS[(targets[0] as Ping).status]}. Changes apply to it.`}
          {showStay && ' To change only one, select it below.'}
        </Text>
      )}
      {single && showStay && (
        <Text c="dimmed" size="sm">
          Changes apply only to this ping.{' '}
          <Anchor component="button" type="button" inherit onClick={showStay}>
            Show the whole stay
          </Anchor>
        </Text>
      )}
    </div>
  );
};

const PatientStory = ({ patient, ...lead }: Omit<Props, 'id' | 'row'> & { patient: Patient }) => {
  const { can, user } = useSession();
  const now = useNow();
  const [chosen, choose] = useState<string | null>(null);
  const stay = patient.currentPingEncounter;
  const one = stay?.pings.find(({ id }) => id === chosen);
  const ping = one ?? headlineOf(patient);
  const unread = useUnread(patient);
  const ContactLog = useLoaded(loadContactLog, can('canViewPings'));
  return (
    <ShownPatient value={inWords(patient, now)}>
      {!ehrShowsBanner(user, patient.id) && <PatientBanner patient={patient} now={now} />}
      <SimilarPatients patient={patient} now={now} />
      {can('canViewPatients') && <PatientLinks isOnList patientId={patient.id} />}
      {ping && (
        <PingLead
          patient={patient}
          ping={ping}
          single={one !== undefined && stay !== null && stay.pings.length > 1}
          showStay={() => choose(null)}
          {...lead}
        />
      )}
      {ContactLog && (
        <Section title="Contact attempts">
          <ContactLog key={patient.id} patientId={patient.id} />
        </Section>
      )}
      {stay && (
        <Section title="This stay">
          <StayFacts stay={stay} patient={patient} />
        </Section>
      )}
      {stay && (
        <Section title="Diagnoses">
          <Diagnoses stay={stay} />
        </Section>
      )}
      {stay && ping && (
        <Section title={`Pings for this stay (${stay.pings.length})`}>
          <StayPings pings={stay.pings} shown={ping} show={choose} unread={unread} now={now} />
        </Section>
      )}
      {ping && can('canViewPings') && (
        <Section title="Status history">
          <StatusHistory patientId={patient.id} eventIdentifier={ping.eventIdentifier} />
        </Section>
      )}
      {can('canViewPatientTags') && (
        <Section title="Tags">
          <PatientTags patientId={patient.id} tags={patient.patientTags} />
        </Section>
      )}
      <Section title="Care team and coverage">
        <People patient={patient} ping={ping} />
      </Section>
    </ShownPatient>
  );
};

/** Everything about one ping: who it is about, what happened, what can be done, and what was done. */
export const PingDetail = ({ id, row, ...rest }: Props) => {
  const { data, error, isPlaceholderData, refetch } = useQuery({ ...patientQuery(id), placeholderData: row });
  const patient = data ?? row;
  if (patient) return <PatientStory patient={patient} {...rest} />;
  // 400: what the address has is no id.
  if (error instanceof ApiError && (error.status === 404 || error.status === 400))
    return <Empty title="Patient not found">This patient doesn't exist, or you don't have access.</Empty>;
  if (error instanceof ApiError && error.status === 403)
    return (
      <NoPermission what="patient details">
        You can see this ping in its list, but you can't open it from a link.
      </NoPermission>
    );
  if (error) return <Failed what="Couldn't load this ping." error={error} retry={() => void refetch()} />;
  return (
    <div className={classes.lead} aria-busy={!isPlaceholderData}>
      <Skeleton h={16} w="50%" />
      <Skeleton h={16} w="70%" />
      <Text c="dimmed" size="sm">
        Loading…
      </Text>
    </div>
  );
};
