import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Relationship } from '#contract/relationships.ts';
import { ROSTER_SAMPLE_BYTES } from '#contract/roster-limits.ts';
import type {
  RosterChangeKind,
  RosterJob,
  RosterJobStatus,
  RosterProblemKind,
  RosterSample,
} from '#contract/rosters.ts';
import { actOnError, call, pathOf, teamHeaders } from '../api/call.ts';
import { errorFrom } from '../api/error.ts';

const RUNNING: RosterJobStatus[] = ['RECEIVED', 'VALIDATING', 'APPLYING'];

/** Returns whether the server is still processing the upload. */
export const isRunning = (job: RosterJob | null | undefined): boolean => !!job && RUNNING.includes(job.status);

/** Returns whether the upload keeps others of its group from starting. */
export const isUnfinished = (job: RosterJob | null | undefined): boolean =>
  isRunning(job) || job?.status === 'AWAITING_CONFIRMATION';

/** The latest upload of a group, polled every second while it runs, because the live stream may be down. */
export const latestUploadQuery = (groupId: string) =>
  queryOptions({
    queryKey: ['roster-upload', groupId],
    queryFn: () => call('GET /api/rosters/:groupId/uploads/latest', { params: { groupId } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (isRunning(state.data) ? 1000 : false),
  });

/** Uploads on a page of the history. */
export const PAGE_SIZE = 10;

const historyKey = (groupId: string) => ['roster-uploads', groupId];

/** A page of a group's uploads, newest first. */
export const uploadsQuery = (groupId: string, pageNumber: number) =>
  queryOptions({
    queryKey: [...historyKey(groupId), pageNumber],
    queryFn: () =>
      call('GET /api/rosters/:groupId/uploads', { params: { groupId }, query: { pageNumber, pageSize: PAGE_SIZE } }),
    placeholderData: keepPreviousData,
  });

/** Loads a group's uploads again. */
export const refreshUploads = async (client: QueryClient, groupId: string): Promise<void> => {
  await Promise.all([
    client.invalidateQueries({ queryKey: latestUploadQuery(groupId).queryKey }),
    client.invalidateQueries({ queryKey: historyKey(groupId) }),
  ]);
};

/** Patients on a page of a preview. */
export const CHANGES_SHOWN = 20;

/** A page of what a waiting upload would add, change or remove. */
export const changesQuery = (jobId: string, kind: RosterChangeKind, pageNumber: number) =>
  queryOptions({
    queryKey: ['roster-changes', jobId, kind, pageNumber],
    queryFn: () =>
      call('GET /api/rosters/uploads/:jobId/changes', {
        params: { jobId },
        query: { kind, pageNumber, pageSize: CHANGES_SHOWN },
      }),
    placeholderData: keepPreviousData,
  });

/** Errors or warnings of an upload by row, page after page. `column`: a header, or null for all. */
export const problemsQuery = (jobId: string, kind: RosterProblemKind, column: string | null) =>
  infiniteQueryOptions({
    queryKey: ['roster-problems', jobId, kind, column],
    queryFn: ({ pageParam }) =>
      call('GET /api/rosters/uploads/:jobId/problems', {
        params: { jobId },
        query: { kind, after: pageParam, ...(column === null ? {} : { column }) },
      }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
  });

/** What a group's own headers mean. */
export const headersQuery = (groupId: string) =>
  queryOptions({
    queryKey: ['roster-headers', groupId],
    queryFn: () => call('GET /api/rosters/:groupId/headers', { params: { groupId } }),
  });

/** Asks how the columns of a file are read. Sends its beginning only. */
export const readColumns = async (groupId: string, file: File): Promise<RosterSample> => {
  const route = 'POST /api/rosters/:groupId/sample';
  const body = new FormData();
  body.append('file', file.slice(0, ROSTER_SAMPLE_BYTES), file.name);
  const path = pathOf(route, { params: { groupId } });
  const answer = await fetch(path, { method: 'POST', credentials: 'same-origin', headers: teamHeaders(), body });
  const text = await answer.text();
  if (answer.ok) return JSON.parse(text) as RosterSample;
  const error = errorFrom(answer.status, answer.statusText, text);
  actOnError(error, route);
  throw error;
};

/** A file with what its uploader confirms about everyone in it. */
export interface AttestedFile {
  file: File;
  relationship: Relationship;
}

/**
 * Sends a roster file, which then waits for its preview. `progress` gets the part sent so far, 0 to 1; fetch cannot report that, so this uses
 * XMLHttpRequest.
 */
export const uploadRoster = (
  groupId: string,
  { file, relationship }: AttestedFile,
  progress: (part: number) => void,
  signal: AbortSignal,
): Promise<RosterJob> =>
  new Promise((resolve, reject) => {
    const route = 'POST /api/rosters/:groupId/uploads';
    const query = { relationship, attested: 'true', preview: 'true' };
    const request = new XMLHttpRequest();
    request.open('POST', pathOf(route, { params: { groupId }, query }));
    for (const [name, value] of Object.entries(teamHeaders())) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => progress(total ? loaded / total : 0);
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) return resolve(JSON.parse(request.responseText) as RosterJob);
      const error = errorFrom(request.status, request.statusText, request.responseText);
      actOnError(error, route);
      reject(error);
    };
    request.onerror = () => reject(new TypeError('The upload was interrupted.'));
    request.onabort = () => reject(new DOMException('The upload was stopped.', 'AbortError'));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    const body = new FormData();
    body.append('file', file);
    request.send(body);
  });
