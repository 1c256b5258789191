import { ApiError } from '../api/error.ts';

/** Whether the link can't be used any more, or never could. */
export const isNotValid = (error: unknown): boolean => error instanceof ApiError && error.errorKey === 'LINK_NOT_VALID';
