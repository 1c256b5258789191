import { queryOptions } from '@tanstack/react-query';
import type { CcdEntry } from '#contract/documents.ts';
import { call, pathOf, teamHeaders } from '../api/call.ts';
import { errorFrom } from '../api/error.ts';
import { mayHaveSummaries } from '../patient/patient-links.tsx';
import { useSession } from '../session/session.ts';
import { useWidth } from '../ui/use-width.ts';

/** A patient's documents, newest first. */
export const documentsQuery = (id: string) =>
  queryOptions({
    queryKey: ['documents', id],
    queryFn: () => call('GET /api/ccd/:id/ccds', { params: { id } }),
    staleTime: 0,
  });

/** What is in a document, which never changes. */
export const documentQuery = (id: string, uuid: string) =>
  queryOptions({
    queryKey: ['document', id, uuid],
    queryFn: () => call('GET /api/patients/:id/documents/:uuid', { params: { id, uuid } }),
    staleTime: Number.POSITIVE_INFINITY,
    // A large document is not kept when it is closed.
    gcTime: 60_000,
  });

/** A discharge summary as a page of HTML, to be shown in a sandbox. */
export const dischargeSummaryQuery = (id: string, uuid: string) =>
  queryOptions({
    queryKey: ['discharge-summary', id, uuid],
    queryFn: async () => {
      const path = pathOf('GET /api/ccd/:id/discharge-summary', { params: { id }, query: { uuid } });
      const answer = await fetch(path, { credentials: 'same-origin', headers: teamHeaders() });
      const text = await answer.text();
      if (!answer.ok) throw errorFrom(answer.status, answer.statusText, text);
      return text;
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });

/** Returns the address of a document as it was sent, or of the PDF or picture in it. */
export const fileUrl = (
  { id, teamId }: { id: string; teamId: string },
  uuid: string,
  as: { original?: 'true'; view?: 'true' } = {},
): string => pathOf('GET /api/patients/:id/documents/:uuid/file', { params: { id, uuid }, query: { teamId, ...as } });

/** Whether the user may see discharge summaries somewhere: the server decides for each patient. Not on a phone. */
export const useSeesSummaries = (): boolean => {
  const { can } = useSession();
  const isNarrow = useWidth() === 'narrow';
  return !isNarrow && mayHaveSummaries(can);
};

/** Returns the path of a document's page below the patient's story: discharge summaries belong to case management. */
export const documentPath = ({ uuid, isDischargeSummary }: Pick<CcdEntry, 'uuid' | 'isDischargeSummary'>): string =>
  `/${isDischargeSummary ? 'case-management' : 'attachments'}/${uuid}`;
