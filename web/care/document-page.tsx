import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Patient } from '#contract/patients.ts';
import { ApiError } from '../api/error.ts';
import { documentPath, documentQuery } from '../documents/document-queries.ts';
import { DocumentReader } from '../documents/document-reader.tsx';
import { Loaded } from '../forms/loaded.tsx';
import { useLocation, useParams } from '../router/hooks.ts';
import { Link } from '../router/link.tsx';
import { Navigate } from '../router/navigate.tsx';
import { patientPath } from '../session/paths.ts';
import { useSession } from '../session/session.ts';
import { Empty, NoPermission } from '../ui/states.tsx';
import { useWidth } from '../ui/use-width.ts';
import { CareFrame } from './care-frame.tsx';

const Document = ({ patient, uuid, isAttachment }: { patient: Patient; uuid: string; isAttachment: boolean }) => {
  const { user } = useSession();
  const isNarrow = useWidth() === 'narrow';
  const query = useQuery(documentQuery(patient.id, uuid));
  const { error } = query;
  if (error instanceof ApiError && (error.status === 404 || error.status === 400))
    return (
      <Empty title="Document not found">It was replaced or withdrawn by its sender, or you don't have access.</Empty>
    );
  return (
    <Loaded query={query} what="document">
      {(summary) =>
        isAttachment && summary.entry.isDischargeSummary ? (
          <Navigate to={`${patientPath(user, patient.id)}${documentPath(summary.entry)}`} />
        ) : isNarrow && summary.entry.isDischargeSummary ? (
          <Empty title="Discharge summaries are not shown on a phone or in a narrow window">
            Open this page in a wider window.
          </Empty>
        ) : (
          <DocumentReader patient={patient} summary={summary} />
        )
      }
    </Loaded>
  );
};

/** The page on which a document is read; a discharge summary under case management. */
export const DocumentPage = () => {
  const isSummary = useLocation().pathname.includes('/case-management/');
  const parent = isSummary ? 'case-management' : 'attachments';
  const { user, can } = useSession();
  const { uuid = '' } = useParams() as { uuid?: string };
  return (
    <CareFrame title="Document" page={`/${parent}/${uuid}`} liveKeys={['documents']}>
      {(patient) => (
        <>
          <Anchor component={Link} to={`${patientPath(user, patient.id)}/${parent}`} size="sm" data-no-print>
            {parent === 'attachments' ? 'All attachments' : 'Case management'}
          </Anchor>
          {can('canViewCcds') ? (
            <Document key={uuid} patient={patient} uuid={uuid} isAttachment={parent === 'attachments'} />
          ) : (
            <NoPermission what="documents" />
          )}
        </>
      )}
    </CareFrame>
  );
};
