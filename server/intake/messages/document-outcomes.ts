/** What became of a document, as the list of messages says it. */
export const DOCUMENT_STORED = 'Document stored';
/** Until the review is decided, no one but its facility can read it. Asked for when the list is read: a decision changes no message. */
export const DOCUMENT_WAITS = 'Document waits for a review of who it is about';
