import type { StoryEncounter } from '#contract/story.ts';

/** What can be done about a visit. */
export const VisitActions = (_: { patientId: string; encounter: StoryEncounter }) => null;
