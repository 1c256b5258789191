import { Anchor, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { User } from '#contract/accounts.ts';
import type { Patient } from '#contract/patients.ts';
import type { Ping } from '#contract/pings.ts';
import { ApiError } from '../api/error.ts';
import { PatientBanner, SimilarPatients } from '../patient/patient-banner.tsx';
import { eventPhrase, origin } from '../patient/phrases.ts';
import { useSession } from '../session/session.ts';
import { eventTime, formatDateTime, formatMinutes } from '../ui/format/date.ts';
import { Empty, Failed, NoPermission } from '../ui/states.tsx';
import { useNow } from '../ui/use-now.ts';
import { EventIcon, LateBadge, ReasonBadge, StatusBadge } from './badges.tsx';
import { ConflictNotice } from './conflict-notice.tsx';
import { Diagnoses, People, StayFacts } from './detail-facts.tsx';
import { patientQuery } from './inbox-queries.ts';
import classes from './ping-detail.module.css';
import { StatusHistory } from './status-history.tsx';
import { StatusPanel } from './status-panel.tsx';
import type { Panel } from './use-inbox.ts';
import type { Choice, Unsaved } from './use-status-changes.ts';

interface Props {
  id: string;
  /** What the list knows already; shown until the answer comes. */
  row: Patient | undefined;
  panel: Panel;
  setPanel: (panel: Panel) => void;
  unsaved: Unsaved | null;
  reload: () => Promise<void>;
  send: (patient: Patient, ping: Ping, choice: Choice) => void;
}

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={classes.section}>
    <h3>{title}</h3>
    {children}
  </section>
);

/** What happened, when and how we know. */
const Headline = ({ ping, now }: { ping: Ping; now: Date }) => (
  <div>
    <div className={classes.event}>
      <EventIcon ping={ping} />
      {ping.state === 'CANCELLED' ? (
        <span>
          <s>{eventPhrase(ping)}</s> Cancelled
        </span>
      ) : (
        <span>{eventPhrase(ping)}</span>
      )}
      {ping.state === 'AMENDED' && <span className={classes.dim}>Amended</span>}
      <StatusBadge status={ping.currentManagementStatus.status} />
    </div>
    <div className={classes.dim}>
      {[ping.facility.name, origin(ping)].filter(Boolean).join(' · ')} ·{' '}
      <time dateTime={ping.eventDate}>{eventTime(ping.eventDate, ping.facility.timeZone, now)}</time>
    </div>
    <div className={classes.dim}>
      Received {formatDateTime(ping.createdDate)}
      {ping.entryDelay > 0 && `, ${formatMinutes(ping.entryDelay)} after the event`}
      {ping.inferred && '. No message told of it: concluded from a later one'}
      {ping.manual && '. Entered by hand'}
    </div>
    {(ping.reason || ping.late) && (
      <div className={classes.badges}>
        {ping.reason && <ReasonBadge reason={ping.reason} />}
        {ping.late && <LateBadge />}
      </div>
    )}
  </div>
);

/** Every ping of the stay, newest first; pressing one makes it the one above. */
const Stay = ({ pings, shown, show, now }: { pings: Ping[]; shown: Ping; show: (id: string) => void; now: Date }) => (
  <ol className={classes.timeline}>
    {pings.map((ping) => (
      <li key={ping.id} data-shown={ping.id === shown.id || undefined}>
        <div className={classes.historyLine}>
          <EventIcon ping={ping} />
          {ping.id === shown.id ? (
            <strong>{ping.state === 'CANCELLED' ? <s>{eventPhrase(ping)}</s> : eventPhrase(ping)}</strong>
          ) : (
            <Anchor component="button" type="button" c="inherit" fw={500} onClick={() => show(ping.id)}>
              {ping.state === 'CANCELLED' ? <s>{eventPhrase(ping)}</s> : eventPhrase(ping)}
            </Anchor>
          )}
          {ping.state === 'CANCELLED' && <span>Cancelled</span>}
          <span className={classes.dim}>
            <time dateTime={ping.eventDate}>{eventTime(ping.eventDate, ping.facility.timeZone, now)}</time>
          </span>
          <span className={classes.end}>
            <StatusBadge status={ping.currentManagementStatus.status} />
          </span>
        </div>
      </li>
    ))}
  </ol>
);

/** An EHR that shows the identity of the patient whom it opened (and of nobody else) wants no second banner. */
const bannerIsOutside = ({ needPatientBanner, patientId }: User, id: string): boolean =>
  !needPatientBanner && patientId !== null && patientId.split('_')[0] === id.split('_')[0];

const Story = ({
  patient,
  panel,
  setPanel,
  unsaved,
  reload,
  send,
}: Omit<Props, 'id' | 'row'> & { patient: Patient }) => {
  const { can, user } = useSession();
  const now = useNow();
  const [chosen, choose] = useState<string | null>(null);
  const stay = patient.currentPingEncounter;
  const ping = stay?.pings.find(({ id }) => id === chosen) ?? patient.currentPing;
  return (
    <>
      {!bannerIsOutside(user, patient.id) && <PatientBanner patient={patient} now={now} />}
      <SimilarPatients patient={patient} now={now} />
      {ping && (
        <div className={classes.lead}>
          <Headline ping={ping} now={now} />
          {unsaved && <ConflictNotice unsaved={unsaved} reload={() => void reload().catch(() => {})} />}
          {can('canManagePings') && (
            <StatusPanel
              patientId={patient.id}
              ping={ping}
              backOnCensus={can('canResolveBackToCensus')}
              panel={panel}
              setPanel={setPanel}
              choose={(choice) => send(patient, ping, choice)}
            />
          )}
        </div>
      )}
      {stay && (
        <Section title="This stay">
          <StayFacts stay={stay} />
        </Section>
      )}
      {stay && (
        <Section title="Diagnoses">
          <Diagnoses stay={stay} />
        </Section>
      )}
      {stay && ping && (
        <Section title={`Pings of this stay (${stay.pings.length})`}>
          <Stay pings={stay.pings} shown={ping} show={choose} now={now} />
        </Section>
      )}
      {ping && can('canViewPings') && (
        <Section title="Status history">
          <StatusHistory patientId={patient.id} eventIdentifier={ping.eventIdentifier} />
        </Section>
      )}
      <Section title="Care team and coverage">
        <People patient={patient} ping={ping} />
      </Section>
    </>
  );
};

/** Everything about one ping: whom it is about, what happened, what can be done, and what was. */
export const PingDetail = ({ id, row, ...rest }: Props) => {
  const { data, error, isPlaceholderData, refetch } = useQuery({ ...patientQuery(id), placeholderData: row });
  const patient = data ?? row;
  if (patient) return <Story patient={patient} {...rest} />;
  if (error instanceof ApiError && error.status === 404)
    return <Empty title="This ping is not here.">It does not exist, or you have no access to it.</Empty>;
  if (error instanceof ApiError && error.status === 403)
    return (
      <NoPermission what="the pages of patients">
        This ping can be seen where it stands in its list, not by its address.
      </NoPermission>
    );
  if (error) return <Failed what="The ping could not be loaded." error={error} retry={() => void refetch()} />;
  return (
    <div className={classes.lead} aria-busy={!isPlaceholderData}>
      <Skeleton h={16} w="50%" />
      <Skeleton h={16} w="70%" />
      <Text c="dimmed" size="sm">
        Loading
      </Text>
    </div>
  );
};
