/** The thread in that process, which runs the handler. */
import '@duework/isolation/thread';
