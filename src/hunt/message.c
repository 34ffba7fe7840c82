/* message.c: a fixed head and a payload. */
#include "hunt/message.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

static bool send_all(int socket, const char *bytes, size_t length) {
  while (length) {
    ssize_t sent = send(socket, bytes, length, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes += sent;
    length -= (size_t)sent;
  }
  return true;
}

bool ew_hunt_send(int socket, enum ew_hunt_message type, bool flag, uint64_t number, struct ew_span payload) {
  struct ew_hunt_head head = {.type = type, .flag = flag, .number = number, .length = payload.length};
  return send_all(socket, (const char *)&head, sizeof head) && send_all(socket, payload.bytes, payload.length);
}

bool ew_hunt_ask(int socket, enum ew_hunt_message type, bool flag, uint64_t number, struct ew_span payload,
                 enum ew_hunt_answer *answer) {
  char byte;
  *answer = EW_ANSWER_NO;
  if (!ew_hunt_send(socket, type, flag, number, payload)) return false;
  for (;;) {
    ssize_t got = recv(socket, &byte, 1, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got == 1) *answer = (enum ew_hunt_answer)byte;
    return got == 1;
  }
}

bool ew_hunt_answer(int socket, enum ew_hunt_answer answer) { return send_all(socket, &(char){(char)answer}, 1); }

bool ew_hunt_receive(int socket, struct ew_text *buffer) {
  for (;;) {
    ew_text_reserve(buffer, 65536);
    ssize_t got = recv(socket, buffer->bytes + buffer->length, 65536, MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
    if (got == 0) return false;
    buffer->length += (size_t)got;
    if (buffer->length > (size_t)2 * EW_HUNT_MESSAGE_MAX) return false;
  }
}

bool ew_hunt_next(const struct ew_text *buffer, struct ew_hunt_head *head, struct ew_span *payload) {
  if (buffer->length < sizeof *head) return false;
  memcpy(head, buffer->bytes, sizeof *head);
  if (head->length > EW_HUNT_MESSAGE_MAX || buffer->length - sizeof *head < head->length) return false;
  *payload = (struct ew_span){buffer->bytes + sizeof *head, (size_t)head->length};
  return true;
}

void ew_hunt_taken(struct ew_text *buffer, const struct ew_hunt_head *head) {
  size_t taken = sizeof *head + (size_t)head->length;
  memmove(buffer->bytes, buffer->bytes + taken, buffer->length - taken);
  buffer->length -= taken;
}
