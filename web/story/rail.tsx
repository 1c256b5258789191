import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { EVENT_LABELS } from '#contract/event-codes.ts';
import type { PatientDetails } from '#contract/patient-details.ts';
import { DocumentLinks } from '../documents/document-links.tsx';
import { EHR, UNAVAILABLE } from '../patient/encounter-words.ts';
import { PatientTags } from '../patient/patient-tags.tsx';
import { Telephone } from '../patient/telephone.tsx';
import { useSession } from '../session/session.ts';
import { AddressText } from '../ui/address-text.tsx';
import { type Fact, Facts } from '../ui/facts.tsx';
import { formatDate } from '../ui/format/date.ts';
import { groupedId } from '../ui/format/name.ts';
import { Contact } from './contact.tsx';
import { count, flagsOf } from './flags.ts';
import { lines, None, Panel } from './panel.tsx';
import { ProgramLine, ProgramModal } from './program-modal.tsx';
import classes from './story.module.css';
import { homeHealthQuery } from './story-queries.ts';

const isProgram = ({ groupType }: PatientDetails['listings'][number]): boolean => groupType === 'PROGRAM';

/** Returns the programs, or the facilities, that list the patient, each with its number for the patient. */
const listedBy = ({ listings }: PatientDetails, programs: boolean): ReactNode | null =>
  lines(
    listings
      .filter((listing) => isProgram(listing) === programs)
      .map(({ groupName, memberId, leftAt }) =>
        [groupName, memberId && groupedId(memberId), leftAt && `removed ${formatDate(leftAt)}`]
          .filter(Boolean)
          .join(' · '),
      ),
  );

/** Which of the team's lists have the patient, and since when they no longer do. */
const OnOurLists = ({ patient }: { patient: PatientDetails }) => (
  <Panel title="Why on your list">
    {patient.currentPing?.reason && <p className={classes.flag}>{patient.currentPing.reason.label}</p>}
    <Facts
      missing={UNAVAILABLE}
      facts={[
        ...(patient.listings.some(isProgram) ? [['Rosters', listedBy(patient, true)] satisfies Fact] : []),
        ...(patient.listings.every(isProgram) ? [] : [[EHR, listedBy(patient, false)] satisfies Fact]),
      ]}
    />
    {!patient.currentlyManaged && <None>No program of your team lists this patient now.</None>}
  </Panel>
);

/** Without one of these, some of the flags are not in the answer. */
const WITHHELD = ['canViewRisingRiskFlag', 'canViewCareGapsWorklistAlpha', 'canViewCovid19Status'] as const;

const Flags = ({ patient }: { patient: PatientDetails }) => {
  const { can } = useSession();
  const flags = flagsOf(patient);
  // Of those that are withheld from the reader, the page doesn't know whether there are any.
  const seesAll = !patient.onlyPing && WITHHELD.every(can);
  return (
    <Panel title="Flags">
      {flags.length === 0 ? (
        <None>{seesAll ? 'No flags.' : 'No flags that you have access to.'}</None>
      ) : (
        <Facts missing={UNAVAILABLE} facts={flags.map(([label, reason]): Fact => [label, reason])} />
      )}
    </Panel>
  );
};

interface Reachable {
  id: string;
  fullName: string;
  telephone: string | null;
  title: string | null;
  fax: string | null;
  email: string | null;
}

const people = (all: readonly Reachable[]): ReactNode | null =>
  lines(
    all.map(({ fullName, telephone, title, fax, email }) => (
      <>
        <Telephone name={fullName} number={telephone} />
        <span className={classes.dim}>
          {title && ` · ${title}`}
          {email && (
            <>
              {' · '}
              <AddressText text={email} />
            </>
          )}
          {fax && ` · fax ${fax}`}
        </span>
      </>
    )),
  );

const CareTeam = ({ patient }: { patient: PatientDetails }) => {
  const { communityOfCare: community, patientHl7BasedProgramsInfo: byMessages } = patient;
  const [opened, open] = useState<string | null>(null);
  return (
    <Panel title="Community of care">
      <Facts
        missing="None on your lists"
        facts={[
          ['Care coordinators', people(patient.careCoordinators)],
          ['Providers', people(patient.providers)],
          ['Practices', lines(patient.practices.map(({ name }) => name))],
          ['Programs', lines(patient.programs.filter(({ type }) => type === 'PROGRAM').map(({ name }) => name))],
          ...(byMessages.length > 0
            ? [
                [
                  'HL7 programs',
                  lines(byMessages.map((program) => <ProgramLine key={program.id} program={program} open={open} />)),
                ] satisfies Fact,
              ]
            : []),
          ['Organizations', lines(patient.orgs.map(({ name }) => name))],
          [
            'Community size',
            `${community.totalSizeOfCommunity}: ${[
              count(community.numberOfProviders, 'provider'),
              `${count(community.numberOfCareCoordinators, 'care coordinator')} (care-team contacts included)`,
              count(community.numberOfPostAcuteFacilities, 'post-acute facility', 'post-acute facilities'),
            ].join(', ')}`,
          ],
        ]}
      />
      {opened !== null && <ProgramModal patientId={patient.id} programId={opened} close={() => open(null)} />}
    </Panel>
  );
};

const Instructions = ({ patient }: { patient: PatientDetails }) => {
  const { can } = useSession();
  if (!can('canViewCarePlans')) return null;
  const { admitInstructions: admit, dischargeInstructions: discharge, patientCarePlanInfo: plans } = patient;
  const forms = [...patient.admitCareInstructionForms, ...patient.dischargeCareInstructionForms];
  const texts = (all: PatientDetails['admitInstructions']): ReactNode | null =>
    lines(
      all.map(({ instruction, organizationName }) => (
        <>
          {instruction} <span className={classes.dim}>{organizationName}</span>
        </>
      )),
    );
  return (
    <Panel title="Care instructions">
      <Facts
        missing="None"
        facts={[
          ['When admitted', texts(admit)],
          ['When discharged', texts(discharge)],
          ...(forms.length > 0 ? [['Forms', lines(forms.map(({ fileName }) => fileName))] satisfies Fact] : []),
          ['Care plans', lines(plans.map(({ organization, programName }) => `${programName} · ${organization}`))],
        ]}
      />
    </Panel>
  );
};

const HomeHealth = ({ patientId }: { patientId: string }) => {
  const [page, turn] = useState(1);
  const { data } = useQuery(homeHealthQuery(patientId, page));
  if (!data || data.total === 0) return null;
  return (
    <Panel title="Home health">
      <ul className={classes.plain}>
        {data.coverages.map(({ id, agency, startDate, endDate, duration }) => (
          <li key={id}>
            {agency.name}{' '}
            <span className={classes.dim}>
              {startDate ? formatDate(startDate, agency.timeZone) : 'Start not recorded'} –{' '}
              {endDate ? formatDate(endDate, agency.timeZone) : 'now'}
              {duration && ` · ${duration}`}
            </span>
          </li>
        ))}
      </ul>
      {data.numPages > 1 && (
        <span className={classes.turns}>
          {page > 1 && (
            <Anchor component="button" type="button" size="sm" onClick={() => turn(page - 1)}>
              Newer
            </Anchor>
          )}
          {page < data.numPages && (
            <Anchor component="button" type="button" size="sm" onClick={() => turn(page + 1)}>
              Older
            </Anchor>
          )}
        </span>
      )}
    </Panel>
  );
};

/** Last notice of a hospital, and the last stay in one. */
const Notices = ({ patient }: { patient: PatientDetails }) => {
  const { copEvent, lastHospitalDischargeEncounter: last, onlyPing } = patient;
  const withheld = onlyPing ? "You don't have access" : null;
  return (
    <Panel title="Hospitals">
      <Facts
        missing={UNAVAILABLE}
        facts={[
          [
            'Last discharge',
            last
              ? [
                  last.dischargedDate && formatDate(last.dischargedDate, last.admittingFacility.timeZone),
                  last.admittingFacility.name,
                ]
                  .filter(Boolean)
                  .join(' · ')
              : withheld,
          ],
          [
            'Last notice',
            copEvent
              ? [EVENT_LABELS[copEvent.eventStatus], formatDate(copEvent.eventDate), copEvent.facilityName].join(' · ')
              : withheld,
          ],
          [
            'Last 12 months',
            `${patient.encounterCounts.emergency} ED, ${patient.encounterCounts.inpatient} inpatient, ${patient.encounterCounts.postAcute} post-acute`,
          ],
        ]}
      />
    </Panel>
  );
};

/** What is known about the patient beside the visits. */
export const Rail = ({ patient }: { patient: PatientDetails }) => {
  const { can } = useSession();
  return (
    <div className={classes.rail}>
      <OnOurLists patient={patient} />
      <Flags patient={patient} />
      {can('canViewPatientTags') && (
        <Panel title="Tags">
          <PatientTags patientId={patient.id} tags={patient.patientTags} />
        </Panel>
      )}
      {can('canViewCcds') && (
        <Panel title="Documents">
          <DocumentLinks patientId={patient.id} ofVisits={patient.ccdExistsForAnyEncounter} />
        </Panel>
      )}
      <CareTeam patient={patient} />
      <Instructions patient={patient} />
      <Contact patient={patient} />
      <Notices patient={patient} />
      {can('canViewPatients') && !patient.onlyPing && <HomeHealth patientId={patient.id} />}
    </div>
  );
};
