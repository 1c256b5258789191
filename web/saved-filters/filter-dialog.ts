/** Which dialog about saved filters is open. */
export type FilterDialog = 'save' | 'manage' | 'notify' | null;
