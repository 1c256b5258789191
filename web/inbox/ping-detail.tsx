import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useState } from 'react';
import type { Patient } from '#contract/patients.ts';
import { ApiError } from '../api/error.ts';
import { loadChunk } from '../errors/load-chunk.ts';
import { ehrShowsBanner } from '../patient/ehr-shows-banner.ts';
import { PART2_NOTICE } from '../patient/part2-notice.ts';
import { PatientBanner } from '../patient/patient-banner.tsx';
import { PatientLinks } from '../patient/patient-links.tsx';
import { isNotFound, patientQuery } from '../patient/patient-query.ts';
import { PatientTags } from '../patient/patient-tags.tsx';
import { ShownPatient } from '../patient/shown-patient.ts';
import { SimilarPatients } from '../patient/similar-patients.tsx';
import { useRouter } from '../router/hooks.ts';
import { patientPath } from '../session/paths.ts';
import { useSession } from '../session/session.ts';
import { useCommands } from '../ui/commands.ts';
import { familyFirst } from '../ui/format/name.ts';
import { Empty, Failed, NoPermission } from '../ui/states.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { useNow } from '../ui/use-now.ts';
import { headlineOf } from './card.ts';
import { Diagnoses, People, StayFacts } from './detail-facts.tsx';
import classes from './ping-detail.module.css';
import { type LeadControls, PingLead } from './ping-lead.tsx';
// Loaded with the detail, so that no change waits for it.
import './send-change.ts';
import { StatusHistory } from './status-history.tsx';
import { StayPings, useUnread } from './stay-pings.tsx';
import { Viewers } from './viewers.tsx';

const loadContactLog = () =>
  loadChunk('contact-log', () => import('../contact-attempts/contact-log.tsx')).then((file) => file.ContactLog);

const loadFacilityLinks = () =>
  loadChunk('facility-links', () => import('../facility-links/facility-links.tsx')).then((file) => file.FacilityLinks);
const loadDocumentLinks = () =>
  loadChunk('document-links', () => import('../documents/document-links.tsx')).then((file) => file.DocumentLinks);
interface Props extends LeadControls {
  id: string;
  /** The patient as the list has it, shown until the answer arrives. */
  row: Patient | undefined;
}

const loadFollowUps = () =>
  loadChunk('follow-ups', () => import('../follow-ups/follow-ups.tsx')).then((file) => file.FollowUps);

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={classes.section}>
    <h3>{title}</h3>
    {children}
  </section>
);

/** What is due, what was tried, and what the facility was asked. */
const AfterDischarge = ({ patient }: { patient: Patient }) => {
  const { can } = useSession();
  const stay = patient.currentPingEncounter;
  const ContactLog = useLoaded(loadContactLog, can('canViewPings'));
  const FollowUps = useLoaded(loadFollowUps, can('canViewPings'));
  const FacilityLinks = useLoaded(loadFacilityLinks, stay !== null && can('canViewPings'));
  return (
    <>
      {FollowUps && (
        <Section title="Follow-up">
          <FollowUps key={patient.id} patientId={patient.id} patient={patient} />
        </Section>
      )}
      {ContactLog && (
        <Section title="Contact attempts">
          <ContactLog key={patient.id} patientId={patient.id} hasDied={patient.deceased} />
        </Section>
      )}
      {stay && FacilityLinks && (
        <FacilityLinks
          key={`links-${patient.id}`}
          patientId={patient.id}
          stay={stay}
          section={(content) => <Section title="Ask the facility">{content}</Section>}
        />
      )}
    </>
  );
};

const PatientStory = ({ patient, ...lead }: LeadControls & { patient: Patient }) => {
  const { can, user } = useSession();
  const now = useNow();
  const [chosen, choose] = useState<string | null>(null);
  const stay = patient.currentPingEncounter;
  const one = stay?.pings.find(({ id }) => id === chosen);
  const ping = one ?? headlineOf(patient);
  const unread = useUnread(patient);
  const DocumentLinks = useLoaded(loadDocumentLinks, can('canViewCcds'));
  // The head first, so that the step to another patient shows at once; the rest a moment later.
  const isWhole = useDeferredValue(true, false);
  const { navigate } = useRouter();
  useCommands({ 'ping.story': () => void navigate({ to: patientPath(user, patient.id) }) }, familyFirst(patient));
  return (
    <ShownPatient value={patient}>
      {!ehrShowsBanner(user, patient.id) && <PatientBanner patient={patient} now={now} />}
      <SimilarPatients patient={patient} now={now} />
      {ping && (
        <PingLead
          patient={patient}
          ping={ping}
          single={one !== undefined && stay !== null && stay.pings.length > 1}
          showStay={() => choose(null)}
          {...lead}
        />
      )}
      {isWhole && (
        <>
          {/* Below the buttons, which what comes later must not push away under a finger. */}
          {can('canViewPings') && <Viewers key={patient.id} patientId={patient.id} />}
          {/* Reasons and counts rest on other visits too. A stay at such a facility says it itself. */}
          {patient.hasPart2Records && !stay?.admittingFacility.isPart2Facility && (
            <Text size="xs" c="dimmed" mt="xs">
              {PART2_NOTICE}
            </Text>
          )}
          {can('canViewPatients') && <PatientLinks isOnList patientId={patient.id} />}
          <AfterDischarge patient={patient} />
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
          {stay && ping && patient.card && (
            <Section title={`Pings for this stay (${stay.pings.length})`}>
              <StayPings pings={stay.pings} shown={ping} show={choose} unread={unread} now={now} />
            </Section>
          )}
          {DocumentLinks && can('canViewCcds') && (
            <Section title="Documents">
              <DocumentLinks key={patient.id} patientId={patient.id} />
            </Section>
          )}
          {ping && patient.card && can('canViewPings') && (
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
        </>
      )}
    </ShownPatient>
  );
};

/** Everything about one ping: who it is about, what happened, what can be done, and what was done. */
export const PingDetail = ({ id, row, ...rest }: Props) => {
  const { data, error, isPlaceholderData, refetch } = useQuery({ ...patientQuery(id), placeholderData: row });
  const patient = data ?? row;
  // What was shown before may no longer be.
  if (isNotFound(error))
    return <Empty title="Patient not found">This patient doesn't exist, or you don't have access.</Empty>;
  if (patient) return <PatientStory patient={patient} {...rest} />;
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
