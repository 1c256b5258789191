import { z } from 'zod';
import { id, patientId } from '../primitives.ts';
import { MOST_TAGS_OF_PATIENT, MOST_TAGS_OF_TEAM, patientTags, tag, tagName } from '../tags.ts';
import type { RouteTable } from './route.ts';

const byPatient = z.object({ id: patientId });
const tagIds = z.array(id).max(MOST_TAGS_OF_PATIENT);

export const tagsRoutes = {
  'GET /api/tags': {
    permission: 'canViewPatientTags',
    summary: "List the team's tags, by name",
    audit: 'tags.list',
    answer: z.array(tag).max(MOST_TAGS_OF_TEAM),
  },
  'POST /api/tags': {
    permission: 'canEditPatientTags',
    summary: 'Create a tag of the team; returns the existing one if the name differs only by case, or not at all',
    audit: 'tags.create',
    body: z.object({ name: tagName }),
    answer: tag,
  },
  'GET /api/patients/:id/tags': {
    permission: 'canViewPatientTags',
    summary: "Get a patient's tags: the team's own and those of rosters",
    audit: 'patient.tags',
    params: byPatient,
    answer: patientTags,
  },
  'PUT /api/patients/:id/tags': {
    permission: 'canEditPatientTags',
    summary:
      "Set the team's tags of a patient. With expectedTagIds, the tags that the caller saw, only the difference is applied, so that two people who change tags at once both succeed",
    audit: 'patient.set-tags',
    params: byPatient,
    body: z.object({ tagIds, expectedTagIds: tagIds.optional() }),
    answer: patientTags,
  },
} as const satisfies RouteTable;
