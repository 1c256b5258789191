import { useMemo } from 'react';
import { experienceBase } from '#contract/experiences.ts';
import type { SortKey } from '#contract/sorts.ts';
import { everything } from '../filters/criteria.ts';
import { GroupSelect } from '../filters/group-select.tsx';
import type { ListFilters, ListKind } from '../filters/use-filters.ts';
import { type Session, useSession } from '../session/session.ts';
import { HOSPITAL_COLUMNS, PATIENT_COLUMNS } from './columns.tsx';
import { PatientList } from './patient-list.tsx';

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

/** The roster opens on who is there now in Janus experiences, for those who have that filter; on everybody elsewhere. */
const kindOf = ({ user, can }: Session): ListKind => {
  const admitted = user.applicationExperience.startsWith('JANUS') && can('canEditPatientsAndEvents');
  return {
    module: experienceBase(user.applicationExperience) === '/hospital' ? 'HOSPITAL_PATIENT_SEARCH' : 'PATIENT_SEARCH',
    context: 'ALL',
    usual: { ...everything(PATIENT_PAGE_SIZE), view: admitted ? 'CURRENTLY_ADMITTED' : 'ALL_PATIENTS' },
  };
};

const NOBODY = {
  title: 'No patients are listed yet.',
  words: 'When a roster is uploaded, or a facility of this team reports a stay, its patients appear here.',
};

const groupOf = ({ search, patch }: ListFilters) => (
  <GroupSelect group={search.group} choose={(group) => patch({ group, p: undefined })} />
);

/** The patients of the selected team. */
export const PatientsPage = () => {
  const session = useSession();
  const kind = useMemo(() => kindOf(session), [session]);
  const isHospital = experienceBase(session.user.applicationExperience) === '/hospital';
  return (
    <PatientList
      title="Patients"
      kind={kind}
      columns={isHospital ? HOSPITAL_COLUMNS : PATIENT_COLUMNS}
      sortKeys={SORT_KEYS}
      tools={groupOf}
      nobody={NOBODY}
    />
  );
};
