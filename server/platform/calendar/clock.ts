/** Returns the current time. Passed in everywhere, so that tests and the demo's history can set it. */
export type Clock = () => Date;
