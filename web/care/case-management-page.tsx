import { Button, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CareInstruction, CareTeamRecord } from '#contract/care.ts';
import type { Patient } from '#contract/patients.ts';
import { DischargeSummaries } from '../documents/discharge-summaries.tsx';
import { Loaded } from '../forms/loaded.tsx';
import { SavedBanner } from '../forms/saved-banner.tsx';
import { mayHaveSummaries } from '../patient/patient-links.tsx';
import { useSession } from '../session/session.ts';
import { formatDate } from '../ui/format/date.ts';
import { NoPermission } from '../ui/states.tsx';
import classes from './care.module.css';
import { CareFrame } from './care-frame.tsx';
import { careTeamQuery, instructionsQuery } from './care-queries.ts';
import { useEditedContact } from './care-team-page.tsx';
import { ContactDrawer } from './contact-drawer.tsx';
import { InstructionDrawer, type InstructionKind } from './instruction-drawer.tsx';
import { InstructionList } from './instruction-list.tsx';
import { useEdited } from './use-edited.ts';

/** A care plan; of another organization only that there is one, and whom to ask. */
const CarePlan = ({ record, edit }: { record: CareTeamRecord; edit: (() => void) | null }) => (
  <li className={classes.card}>
    <div className={classes.cardHead}>
      <h3>{record.program ?? record.groupName}</h3>
      {edit && (
        <Button size="xs" variant="default" aria-label={`Edit the care plan of ${record.contactName}`} onClick={edit}>
          Edit
        </Button>
      )}
    </div>
    {record.content === null ? (
      <Text c="dimmed">
        Only {record.organizationName} can see this plan. Ask {record.contactName}
        {record.contactPhone && `, ${record.contactPhone}`}.
      </Text>
    ) : (
      <div className={classes.plan}>{record.content}</div>
    )}
    <span className={classes.dim}>
      {record.organizationName} · {record.contactName} · Updated {formatDate(record.modifiedAt)}
    </span>
  </li>
);

const CarePlans = ({ patientId }: { patientId: string }) => {
  const { can } = useSession();
  const team = useQuery(careTeamQuery(patientId));
  const edited = useEditedContact(patientId);
  return (
    <section aria-label="Care plans">
      <div className={classes.head}>
        <Title order={2}>Care plans</Title>
        {can('canEditCarePlans') && (
          <Button variant="default" onClick={() => edited.edit('new')}>
            Add care plan
          </Button>
        )}
      </div>
      <SavedBanner message={edited.message} close={edited.closeMessage} />
      <Loaded query={team} what="care plans">
        {(records) => {
          const plans = records.filter(({ hasCarePlan }) => hasCarePlan);
          return plans.length === 0 ? (
            <Text c="dimmed">No care plans.</Text>
          ) : (
            <ul className={classes.cards}>
              {plans.map((record) => (
                <CarePlan key={record.id} record={record} edit={record.editable ? () => edited.edit(record) : null} />
              ))}
            </ul>
          );
        }}
      </Loaded>
      {edited.open !== null && (
        <ContactDrawer
          key={edited.key}
          patientId={patientId}
          record={edited.open === 'new' ? null : edited.open}
          isPlan={edited.open === 'new'}
          handlers={edited.handlers}
        />
      )}
    </section>
  );
};

const Instructions = ({ patientId }: { patientId: string }) => {
  const { can } = useSession();
  const client = useQueryClient();
  const query = instructionsQuery(patientId);
  const all = useQuery(query);
  const [kind, setKind] = useState<InstructionKind>('ADMIT');
  const edited = useEdited<CareInstruction>([query.queryKey], async (id) => {
    const { admitInstructions, dischargeInstructions } = await client.fetchQuery(query);
    return [...admitInstructions, ...dischargeInstructions].find((entry) => entry.id === id) ?? null;
  });
  const open = (of: InstructionKind, entry: CareInstruction | 'new'): void => {
    setKind(of);
    edited.edit(entry);
  };
  const listOf = (of: InstructionKind, entries: CareInstruction[]) => (
    <InstructionList
      patientId={patientId}
      title={of === 'ADMIT' ? 'Admit instructions' : 'Discharge instructions'}
      word={of === 'ADMIT' ? 'admit' : 'discharge'}
      entries={entries}
      add={can('canEditCarePlans') ? () => open(of, 'new') : null}
      edit={(entry) => open(of, entry)}
    />
  );
  return (
    <>
      <SavedBanner message={edited.message} close={edited.closeMessage} />
      <Loaded query={all} what="instructions">
        {({ admitInstructions, dischargeInstructions }) => (
          <>
            {listOf('ADMIT', admitInstructions)}
            {listOf('DISCHARGE', dischargeInstructions)}
          </>
        )}
      </Loaded>
      {edited.open !== null && (
        <InstructionDrawer
          key={edited.key}
          patientId={patientId}
          kind={kind}
          entry={edited.open === 'new' ? null : edited.open}
          handlers={edited.handlers}
        />
      )}
    </>
  );
};

const CaseManagement = ({ patient }: { patient: Patient }) => {
  const { can } = useSession();
  return (
    <>
      {can('canViewCarePlans') ? (
        <>
          <CarePlans patientId={patient.id} />
          <Instructions patientId={patient.id} />
        </>
      ) : (
        !mayHaveSummaries(can) && <NoPermission what="care plans and instructions" />
      )}
      <DischargeSummaries patientId={patient.id} />
    </>
  );
};

/** A patient's care plans, and what to do at admission and discharge. */
export const CaseManagementPage = () => (
  <CareFrame title="Case management" page="/case-management" liveKeys={['care-team', 'instructions', 'documents']}>
    {(patient) => <CaseManagement patient={patient} />}
  </CareFrame>
);
