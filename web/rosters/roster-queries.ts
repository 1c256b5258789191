import { queryOptions } from '@tanstack/react-query';
import type { Relationship } from '#contract/relationships.ts';
import type { RosterJob, RosterJobStatus } from '#contract/rosters.ts';
import { actOnError, call, pathOf, teamHeaders } from '../api/call.ts';
import { errorFrom } from '../api/error.ts';

const RUNNING: RosterJobStatus[] = ['RECEIVED', 'VALIDATING', 'APPLYING'];

/** Returns whether the server is still processing the upload. */
export const isRunning = (job: RosterJob | null | undefined): boolean => !!job && RUNNING.includes(job.status);

/** The latest upload of a group, polled every second while it runs, because the live stream may be down. */
export const latestUploadQuery = (groupId: string) =>
  queryOptions({
    queryKey: ['roster-upload', groupId],
    queryFn: () => call('GET /api/rosters/:groupId/uploads/latest', { params: { groupId } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (isRunning(state.data) ? 1000 : false),
  });

/** A file with what its uploader confirms about everyone in it. */
export interface AttestedFile {
  file: File;
  relationship: Relationship;
}

/** Sends a roster file. `progress` gets the part sent so far, 0 to 1; fetch cannot report that, so this uses XMLHttpRequest. */
export const uploadRoster = (
  groupId: string,
  { file, relationship }: AttestedFile,
  progress: (part: number) => void,
  signal: AbortSignal,
): Promise<RosterJob> =>
  new Promise((resolve, reject) => {
    const route = 'POST /api/rosters/:groupId/uploads';
    const request = new XMLHttpRequest();
    request.open('POST', pathOf(route, { params: { groupId }, query: { relationship, attested: 'true' } }));
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
