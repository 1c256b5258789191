/** The file as a whole cannot be read. The message is for the person who uploaded it. */
export class RosterFileError extends Error {
  override name = 'RosterFileError';
}
