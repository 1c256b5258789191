import { ActionIcon, Anchor, Button, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { experienceBase } from '#contract/experiences.ts';
import type { EncounterDetails } from '#contract/patient-details.ts';
import type { Patient } from '#contract/patients.ts';
import type { VisitKind } from '#contract/story.ts';
import { ApiError } from '../api/error.ts';
import { useLiveEvents } from '../api/use-live.ts';
import { Loaded } from '../forms/loaded.tsx';
import { CurrentPing } from '../inbox/current-ping.tsx';
import { PrintNotice } from '../lists/print/print-head.tsx';
import { ehrShowsBanner } from '../patient/ehr-shows-banner.ts';
import { PART2_NOTICE, showsPart2 } from '../patient/part2-notice.ts';
import { PatientBanner } from '../patient/patient-banner.tsx';
import { PatientLinks } from '../patient/patient-links.tsx';
import { detailsOf, patientQuery } from '../patient/patient-query.ts';
import { SimilarPatients } from '../patient/similar-patients.tsx';
import { useVanished } from '../patient/vanished.ts';
import { PatientActions } from '../patient-links-out/patient-actions.tsx';
import { adminPath, inboxPath, patientPath, patientsPath } from '../session/paths.ts';
import { useSession } from '../session/session.ts';
import { IconPrinter } from '../ui/icons.ts';
import { useShortcuts } from '../ui/shortcuts.ts';
import { Empty } from '../ui/states.tsx';
import { useNow } from '../ui/use-now.ts';
import { useTitle } from '../ui/use-title.ts';
import { Diagnoses } from './diagnoses.tsx';
import { Rail } from './rail.tsx';
import classes from './story.module.css';
import { ALL_VISITS, LIVE_KEYS, visitsQuery } from './story-queries.ts';
import { type Neighbors, useNeighbors } from './use-neighbors.ts';
import { VisitCard } from './visit-card.tsx';
import { Visits } from './visits.tsx';

/** Back to the list, and on to the patients before and after this one in it. */
const Steps = ({
  neighbors,
  go,
  back,
}: {
  neighbors: Neighbors | null;
  go: (id: string) => void;
  back: () => void;
}) => {
  const { user } = useSession();
  const { previous = null, next = null, position = 0, total = 0 } = neighbors ?? {};
  useShortcuts({
    // Within a field or a layer, Escape closes that.
    Escape: (event) => {
      if (!(event.target as Element).closest?.('input, textarea, select, [role="dialog"], [role="listbox"]')) back();
    },
    j: () => next && go(next),
    k: () => previous && go(previous),
  });
  return (
    <nav className={classes.steps} aria-label="List" data-no-print>
      <Button size="compact-sm" variant="default" onClick={back}>
        Back to the list
      </Button>
      {neighbors && (
        <>
          <Button size="compact-sm" variant="default" disabled={!previous} onClick={() => previous && go(previous)}>
            Previous
          </Button>
          <span className={classes.dim}>
            {position.toLocaleString('en-US')} of {total.toLocaleString('en-US')}
          </span>
          <Button size="compact-sm" variant="default" disabled={!next} onClick={() => next && go(next)}>
            Next
          </Button>
        </>
      )}
      {experienceBase(user.applicationExperience) !== '/ehr' && (
        <ActionIcon className={classes.end} title="Print story" aria-label="Print story" onClick={() => window.print()}>
          <IconPrinter size={16} stroke={1.75} aria-hidden />
        </ActionIcon>
      )}
    </nav>
  );
};

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
  const { id } = patient;
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The row or button that led here is gone.
    if (id !== '' && document.activeElement === document.body) top.current?.focus({ preventScroll: true });
  }, [id]);
  return (
    <div ref={top} tabIndex={-1} className={classes.story}>
      <PrintNotice />
      {!ehrShowsBanner(user, patient.id) && <PatientBanner patient={patient} now={now} heading="h1" />}
      <SimilarPatients patient={patient} now={now} />
      {can('canViewPatients') && <PatientLinks patientId={patient.id} />}
      {showsPart2(patient) && (
        <Text size="sm" px="md" py="xs">
          {PART2_NOTICE}
        </Text>
      )}
      <div className={classes.columns}>
        <div className={classes.main}>
          <CurrentPing key={patient.id} patient={patient} />
          {can('canViewPatients') ? (
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
      {can('canViewPatients') && <PatientActions patientId={patient.id} />}
      {can('canManageUsers') && (
        <Anchor
          component={Link}
          to={`${adminPath(user)}/accesses`}
          search={{ patient: patient.id } as never}
          size="sm"
          ml="md"
        >
          View who has seen this patient
        </Anchor>
      )}
    </div>
  );
};

/** Goes on to the latest visit where the page was opened without one, such as before the first visit. */
const useLatestVisit = (patientId: string, go: (id: string) => void): void => {
  const { can } = useSession();
  const isOpen = patientId.endsWith('_0');
  const { data } = useInfiniteQuery({
    ...visitsQuery(patientId, ALL_VISITS),
    enabled: isOpen && can('canViewPatients'),
  });
  const latest = isOpen ? data?.pages[0]?.encounters[0]?.id : undefined;
  useEffect(() => {
    if (latest !== undefined) go(`${patientId.slice(0, -1)}${latest}`);
  });
};

/** A patient's story: who it is, what is going on, all visits, and who looks after the patient. A launch from an EHR opens it. */
export const StoryPage = () => {
  useTitle('Patient');
  const { patientId = '' } = useParams({ strict: false });
  const session = useSession();
  const { user, can } = session;
  const client = useQueryClient();
  const router = useRouter();
  const navigate = useNavigate();
  const patient = useQuery(patientQuery(patientId));
  useVanished(patientId);
  const neighbors = useNeighbors(patientId);
  // The history keeps one entry for all patients of a list, so that one step leads back to it.
  const go = (id: string): void => void navigate({ to: patientPath(user, id), replace: true });
  useLatestVisit(patientId, go);
  useLiveEvents((event) => {
    if (event.kind !== 'rows' && event.kind !== 'reload' && event.kind !== 'ping') return;
    // A request under way may have been answered before the change, and would be joined.
    for (const key of LIVE_KEYS) {
      const queryKey = [key, patientId];
      void client.cancelQueries({ queryKey }).then(() => client.invalidateQueries({ queryKey }));
    }
  });
  const back = (): void => {
    if (router.history.canGoBack()) router.history.back();
    else void navigate({ to: can('canViewPings') ? inboxPath(user) : patientsPath(user) });
  };
  if (patient.error instanceof ApiError && (patient.error.status === 404 || patient.error.status === 400))
    return <Empty title="Patient not found">This patient doesn't exist, or you don't have access.</Empty>;
  return (
    // One element: the frame limits the height of the last one, and the banner would stick to that.
    <div>
      <Steps neighbors={neighbors} go={go} back={back} />
      <Loaded query={patient} what="patient">
        {(shown) => <Story patient={shown} />}
      </Loaded>
    </div>
  );
};
