import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { careForm } from '#contract/care.ts';
import { actOnError, call, pathOf, teamHeaders } from '../api/call.ts';
import { errorFrom } from '../api/error.ts';

type CareForm = z.infer<typeof careForm>;

/** A patient's programs, by organization. */
export const programsQuery = (id: string) =>
  queryOptions({
    queryKey: ['programs', id],
    queryFn: () => call('GET /api/patients/:id/programs', { params: { id } }),
    staleTime: 0,
  });

/** A patient's care team, own records first. */
export const careTeamQuery = (id: string) =>
  queryOptions({
    queryKey: ['care-team', id],
    queryFn: () => call('GET /api/patients/:id/care-team', { params: { id } }),
    staleTime: 0,
  });

/** A patient's admit and discharge instructions. */
export const instructionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['instructions', id],
    queryFn: () => call('GET /api/patients/:id/instructions', { params: { id } }),
    staleTime: 0,
  });

/** Uploads the form of an instruction. Throws ApiError; TypeError if the upload was interrupted. */
export const uploadForm = async (params: { id: string; instructionId: string }, file: File): Promise<CareForm> => {
  const route = 'POST /api/patients/:id/instructions/:instructionId/form';
  const body = new FormData();
  body.append('file', file);
  const answer = await fetch(pathOf(route, { params }), {
    method: 'POST',
    credentials: 'same-origin',
    headers: teamHeaders(),
    body,
  });
  const text = await answer.text();
  if (answer.ok) return JSON.parse(text) as CareForm;
  const error = errorFrom(answer.status, answer.statusText, text);
  actOnError(error, route);
  throw error;
};
