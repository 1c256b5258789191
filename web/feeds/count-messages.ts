/** '1 message', '1,200 messages' */
export const countMessages = (count: number): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'message' : 'messages'}`;
