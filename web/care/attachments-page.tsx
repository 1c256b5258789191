import { Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { CareInstruction } from '#contract/care.ts';
import { DocumentTable } from '../documents/document-table.tsx';
import { sizeInWords } from '../documents/document-words.ts';
import { Loaded } from '../forms/loaded.tsx';
import { useSession } from '../session/session.ts';
import { CardTable } from '../ui/card-table.tsx';
import { formatDate } from '../ui/format/date.ts';
import { Empty, NoPermission } from '../ui/states.tsx';
import { CareFrame } from './care-frame.tsx';
import { instructionsQuery } from './care-queries.ts';
import { FormLink } from './instruction-list.tsx';

interface Attached extends CareInstruction {
  /** "When admitted", "When discharged". */
  when: string;
}

const Forms = ({ patientId }: { patientId: string }) => {
  const query = useQuery(instructionsQuery(patientId));
  return (
    <Loaded query={query} what="forms">
      {({ admitInstructions, dischargeInstructions }) => {
        const all = [
          ...admitInstructions.map((each): Attached => ({ ...each, when: 'When admitted' })),
          ...dischargeInstructions.map((each): Attached => ({ ...each, when: 'When discharged' })),
        ].filter(({ form }) => form !== null);
        if (all.length === 0) return <Empty title="No forms">Forms added to care instructions appear here.</Empty>;
        return (
          <CardTable
            label="Forms"
            rows={all}
            columns={[
              ['File', (entry) => <FormLink patientId={patientId} entry={entry} />],
              ['Size', ({ form }) => form && sizeInWords(form.size)],
              ['Instruction', ({ instruction }) => instruction],
              ['For', ({ when }) => when],
              ['From', ({ groupName, organizationName }) => `${groupName} · ${organizationName}`],
              ['Updated', ({ modifiedAt }) => <time dateTime={modifiedAt}>{formatDate(modifiedAt)}</time>],
            ]}
          />
        );
      }}
    </Loaded>
  );
};

/** The files about a patient that the user may read. */
export const AttachmentsPage = () => {
  const { can } = useSession();
  return (
    <CareFrame title="Attachments" page="/attachments" liveKeys={['instructions', 'documents']}>
      {({ id }) => (
        <>
          <Title order={2}>Documents</Title>
          {can('canViewCcds') ? <DocumentTable patientId={id} /> : <NoPermission what="documents" />}
          {can('canViewCarePlans') && (
            <>
              <Title order={2}>Forms</Title>
              <Forms patientId={id} />
            </>
          )}
        </>
      )}
    </CareFrame>
  );
};
