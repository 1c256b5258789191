/**
 * Why a document can't be read: for its sender, with the place and what to do. It holds no text of the document. `line` and `column` count
 * from 1; null if the reason has no place.
 */
export class Unreadable extends Error {
  readonly line: number | null;
  readonly column: number | null;

  constructor(what: string, place: { line: number; column: number } | null = null) {
    super(place ? `Line ${place.line}, column ${place.column}: ${what}` : what);
    this.line = place?.line ?? null;
    this.column = place?.column ?? null;
  }
}

export const SEND_AGAIN = 'Correct the document, then send it again.';
