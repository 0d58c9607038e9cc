/** The thread that keeps a worker's leases: a file of its own, because a thread is started by its file. */
import '@duework/queue-core/lease-thread';
