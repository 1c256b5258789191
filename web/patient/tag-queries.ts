import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { PatientTags, Tag } from '#contract/tags.ts';
import { call } from '../api/call.ts';

/** The tags that the team has made. */
export const teamTagsQuery = queryOptions({ queryKey: ['tags'], queryFn: () => call('GET /api/tags'), staleTime: 0 });

/** A patient's tags, the team's own and those of rosters apart. */
export const patientTagsQuery = (id: string) =>
  queryOptions({
    queryKey: ['patient-tags', id],
    queryFn: () => call('GET /api/patients/:id/tags', { params: { id } }),
    staleTime: 0,
  });

const idsOf = (tags: readonly Tag[]): string[] => tags.map(({ id }) => id);

/** Replaces the tags that the page shows. The server applies only the difference, so another user's change in between is kept. */
export const sendTags = (patientId: string, shown: PatientTags, wanted: readonly Tag[]): Promise<PatientTags> =>
  call('PUT /api/patients/:id/tags', {
    params: { id: patientId },
    body: { tagIds: idsOf(wanted), expectedTagIds: idsOf(shown.tags) },
  });

/** Adds a tag by its name, which the team may have already. */
export const addTag = async (patientId: string, shown: PatientTags, name: string): Promise<PatientTags> => {
  const tag = await call('POST /api/tags', { body: { name } });
  return sendTags(patientId, shown, [...shown.tags.filter(({ id }) => id !== tag.id), tag]);
};

/** Loads again what shows a patient's tags. */
export const refreshTags = async (client: QueryClient, patientId: string): Promise<void> => {
  const shown = [['patient-tags', patientId], ['patient', patientId], ['tags'], ['patients']];
  await Promise.all(shown.map((queryKey) => client.invalidateQueries({ queryKey })));
};
