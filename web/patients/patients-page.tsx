import { useMemo } from 'react';
import type { Setting } from '#contract/event-codes.ts';
import { experienceBase, type PrimaryClinicalSetting } from '#contract/experiences.ts';
import type { SortKey } from '#contract/sorts.ts';
import { type Filters, noFilters } from '../filters/criteria.ts';
import { GroupSelect } from '../filters/group-select.tsx';
import type { ListFilters, ListKind } from '../filters/use-filters.ts';
import { AddPatient } from '../manual/add-patient.tsx';
import { hasClinicalSetting } from '../session/clinical-setting.ts';
import { type Session, useSession } from '../session/session.ts';

import { PatientList } from './patient-list.tsx';
import { HOSPITAL_COLUMNS, PATIENT_COLUMNS } from './use-columns.ts';
import { VanishedBanner } from './vanished-banner.tsx';

const PATIENT_PAGE_SIZE = 10;
const SORT_KEYS: SortKey[] = [
  'PING_ENCOUNTER_DATE',
  'LAST_NAME',
  'FIRST_NAME',
  'VISIT_DURATION',
  'LENGTH_OF_STAY',
  'ROOM_AND_BED',
  'NUMBER_OF_ENCOUNTERS',
];

/** The visits that a hospital's list opens with, by where its user mainly works. An inpatient unit also has patients under observation. */
const SETTINGS_OF: Record<PrimaryClinicalSetting, readonly Setting[]> = {
  ED: ['EMERGENCY'],
  INPATIENT: ['INPATIENT', 'OBSERVATION'],
  ED_AND_INPATIENT: ['EMERGENCY', 'INPATIENT', 'OBSERVATION'],
  OUTPATIENT: ['OUTPATIENT'],
};

const settingFilter = (user: Session['user']): Filters => {
  if (user.primaryClinicalSetting === null || !hasClinicalSetting(user)) return {};
  const settings = SETTINGS_OF[user.primaryClinicalSetting];
  return { setting: settings.map((value) => ({ field: 'setting', value, negated: false })) };
};

/** Janus experiences open on current patients for users who have that filter; all others open on every patient. */
const kindOf = ({ user, can }: Session): ListKind => {
  const admitted = user.applicationExperience.startsWith('JANUS') && can('canEditPatientsAndEvents');
  return {
    module: experienceBase(user.applicationExperience) === '/hospital' ? 'HOSPITAL_PATIENT_SEARCH' : 'PATIENT_SEARCH',
    context: 'ALL',
    defaults: {
      ...noFilters(PATIENT_PAGE_SIZE),
      view: admitted ? 'CURRENTLY_ADMITTED' : 'ALL_PATIENTS',
      filters: settingFilter(user),
    },
  };
};

const tools = ({ search, patch }: ListFilters) => (
  <>
    <GroupSelect group={search.group} choose={(group) => patch({ group, p: undefined })} />
    <AddPatient />
  </>
);

/** The patients of the selected team. */
export const PatientsPage = () => {
  const session = useSession();
  const kind = useMemo(() => kindOf(session), [session]);
  const isHospital = experienceBase(session.user.applicationExperience) === '/hospital';
  return (
    <>
      <VanishedBanner />
      <PatientList
        title="Patients"
        kind={kind}
        columns={isHospital ? HOSPITAL_COLUMNS : PATIENT_COLUMNS}
        sortKeys={SORT_KEYS}
        tools={tools}
      />
    </>
  );
};
