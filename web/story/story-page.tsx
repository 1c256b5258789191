import { Anchor, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { EncounterDetails } from '#contract/patient-details.ts';
import type { Patient } from '#contract/patients.ts';
import type { VisitKind } from '#contract/story.ts';
import { EmergencyNotice } from '../consents/emergency-access.tsx';
import { FollowUps } from '../follow-ups/follow-ups.tsx';
import { Loaded } from '../forms/loaded.tsx';
import { CurrentPing } from '../inbox/current-ping.tsx';
import { Viewers } from '../inbox/viewers.tsx';
import { PART2_NOTICE, showsPart2 } from '../patient/part2-notice.ts';
import { PatientLinks } from '../patient/patient-links.tsx';
import { PatientNotFound } from '../patient/patient-not-found.tsx';
import { PatientPaper } from '../patient/patient-paper.tsx';
import { detailsOf, isNotFound, patientQuery } from '../patient/patient-query.ts';
import { PatientSteps } from '../patient/patient-steps.tsx';
import { SimilarPatients } from '../patient/similar-patients.tsx';
import { useFollowPatient } from '../patient/use-follow-patient.ts';
import { isRemoved, REMOVED, useVanished } from '../patient/vanished.ts';
import { PatientActions } from '../patient-links-out/patient-actions.tsx';
import { useNavigate, useParams } from '../router/hooks.ts';
import { Link } from '../router/link.tsx';
import { adminPath, patientPath } from '../session/paths.ts';
import { useSession } from '../session/session.ts';
import { Banner } from '../ui/banner.tsx';
import { isFocusFree } from '../ui/focus-free.ts';
import { useNow } from '../ui/use-now.ts';
import { useTitle } from '../ui/use-title.ts';
import { Diagnoses } from './diagnoses.tsx';
import { Rail } from './rail.tsx';
import classes from './story.module.css';
import { ALL_VISITS, LIVE_KEYS, visitsQuery } from './story-queries.ts';
import { VisitCard } from './visit-card.tsx';
import { Visits } from './visits.tsx';

const kindOf = ({ setting }: EncounterDetails): VisitKind =>
  setting === 'OUTPATIENT' || setting === 'URGENT_CARE' ? 'OTHER' : 'INPATIENT';

/** The visit of a ping, for those who may see pings and not patients. */
const OnlyVisit = ({ stay, patient }: { stay: EncounterDetails; patient: Patient }) => (
  <section className={classes.panel} aria-label="This stay">
    <VisitCard
      stay={{ ...stay, kind: kindOf(stay), events: stay.pings, episodeId: stay.id, gapBefore: null }}
      patient={patient}
      isOpen
    />
  </section>
);

const Story = ({ patient }: { patient: Patient }) => {
  const { user, can } = useSession();
  const now = useNow();
  const details = detailsOf(patient);
  // Someone who views pings alone in the groups that list the patient gets the visit of the ping.
  const seesVisits = can('canViewPatients') && !details?.onlyPing;
  const { id } = patient;
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The row or button that led here is gone.
    if (id !== '' && isFocusFree()) top.current?.focus({ preventScroll: true });
  }, [id]);
  return (
    <div ref={top} tabIndex={-1} className={classes.story}>
      <PatientPaper patient={patient} now={now} heading="h1">
        {isRemoved(patient) && <Banner kind="INFO">{REMOVED}</Banner>}
        {seesVisits && <EmergencyNotice patientId={id} />}
        {can('canViewPings') && <Viewers key={id} patientId={id} />}
        <SimilarPatients patient={patient} now={now} />
        {seesVisits && <PatientLinks patientId={patient.id} />}
        {showsPart2(patient) && (
          <Text size="sm" px="md" py="xs">
            {PART2_NOTICE}
          </Text>
        )}
        <div className={classes.columns}>
          <div className={classes.main}>
            <CurrentPing key={patient.id} patient={patient} />
            {can('canViewPings') && (
              <section className={classes.panel} aria-labelledby="follow-up">
                <h2 id="follow-up">Follow-up</h2>
                <FollowUps key={`${patient.id} follow-ups`} patientId={patient.id} patient={patient} />
              </section>
            )}
            {seesVisits ? (
              <>
                <Visits key={`${patient.id} visits`} patient={patient} />
                <Diagnoses patientId={patient.id} />
              </>
            ) : (
              details?.currentPingEncounter && <OnlyVisit stay={details.currentPingEncounter} patient={patient} />
            )}
          </div>
          {details && <Rail key={patient.id} patient={details} />}
        </div>
        {seesVisits && <PatientActions patientId={patient.id} />}
        {can('canManageUsers') && (
          <Anchor
            component={Link}
            data-target
            data-no-print
            to={`${adminPath(user)}/accesses`}
            search={{ patient: patient.id }}
            size="sm"
            ml="md"
          >
            View who has seen this patient
          </Anchor>
        )}
        {can('canManageUsers') && (
          <Anchor
            component={Link}
            data-target
            data-no-print
            to={`${patientPath(user, patient.id)}/missing-pings`}
            size="sm"
            ml="md"
          >
            Why is there no ping?
          </Anchor>
        )}
      </PatientPaper>
    </div>
  );
};

/** Goes on to the latest visit where the page was opened without one, such as before the first visit. */
const useLatestVisit = (patientId: string, go: (id: string) => void): void => {
  const { can } = useSession();
  const client = useQueryClient();
  const isOpen = patientId.endsWith('_0');
  const { data } = useInfiniteQuery({
    ...visitsQuery(patientId, ALL_VISITS),
    enabled: isOpen && can('canViewPatients'),
  });
  const latest = isOpen ? data?.pages[0]?.encounters[0]?.id : undefined;
  useEffect(() => {
    if (latest === undefined) return;
    const id = `${patientId.slice(0, -1)}${latest}`;
    // From a visit that may no longer be read the page came back here.
    if (!isNotFound(client.getQueryState(patientQuery(id).queryKey)?.error)) go(id);
  });
};

/** A patient's story: who it is, what is going on, all visits, and who looks after the patient. A launch from an EHR opens it. */
export const StoryPage = () => {
  useTitle('Patient');
  const { patientId = '' } = useParams();
  const { user } = useSession();
  const navigate = useNavigate();
  const patient = useQuery(patientQuery(patientId));
  useVanished(patientId);
  useLatestVisit(patientId, (id) => void navigate({ to: patientPath(user, id), replace: true }));
  useFollowPatient(patientId, LIVE_KEYS);
  if (isNotFound(patient.error)) return <PatientNotFound patientId={patientId} />;
  return (
    // One element: the frame limits the height of the last one, and the banner would stick to that.
    <div>
      <PatientSteps patientId={patientId} print="Print story" />
      <Loaded query={patient} what="patient">
        {(shown) => <Story patient={shown} />}
      </Loaded>
    </div>
  );
};
