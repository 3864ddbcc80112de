import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { BorrowedBuffer } from '../platform/borrowed-buffer.js';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Sends an answer of the contract. */
export function sendJson(reply: FastifyReply, answer: unknown): void {
  reply.header('Content-Type', JSON_TYPE).send(JSON.stringify(answer));
}

/** Sends an answer that was written as JSON already, into bytes that are soon written over. */
export function sendBorrowed(reply: FastifyReply, json: BorrowedBuffer): void {
  reply.header('Content-Type', JSON_TYPE).send(json.bytes);
  keepUnlessSent(reply.raw, json);
}

/** Keeps the bytes that a response was ended with, unless all of them are with the operating system already. */
export function keepUnlessSent(
  { writableEnded, socket }: Pick<ServerResponse, 'writableEnded' | 'socket'>,
  { keep }: BorrowedBuffer,
): void {
  // Without a socket the response waits for those before it on the connection.
  if (!writableEnded || socket?.writableLength !== 0) keep();
}
