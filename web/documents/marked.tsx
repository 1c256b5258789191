import { createContext, Fragment, useContext } from 'react';

/** What the reader looks for in the document; empty for nothing. */
export const SearchTerm = createContext('');

/** Returns the pieces of a text between matches, whatever their case. */
export const piecesOf = (text: string, term: string): string[] => {
  if (term === '') return [text];
  const [lower, wanted] = [text.toLowerCase(), term.toLowerCase()];
  // A few letters change their length in lower case; such a text is shown without marks.
  if (lower.length !== text.length) return [text];
  const pieces: string[] = [];
  let start = 0;
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, start)) {
    pieces.push(text.slice(start, at), text.slice(at, at + term.length));
    start = at + term.length;
  }
  pieces.push(text.slice(start));
  return pieces;
};

/** A text in which the matches of the search are marked. */
export const Marked = ({ text }: { text: string }) => {
  const term = useContext(SearchTerm);
  const pieces = piecesOf(text, term);
  if (pieces.length === 1) return text;
  return pieces.map((piece, at) =>
    // The pieces have no identity of their own.
    // oxlint-disable-next-line react/no-array-index-key
    at % 2 === 1 ? <mark key={at}>{piece}</mark> : <Fragment key={at}>{piece}</Fragment>,
  );
};
