package dev.lacuna.core.diagnosis;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lacuna.core.diagnosis.oom.model.MemoryListing;
import dev.lacuna.core.diagnosis.oom.model.Quantity;
import java.util.OptionalLong;

/** A table of memory as JSON: sizes are integers in bytes, what it does not give is null. */
final class ListingJson {
    private ListingJson() {}

    static ObjectNode of(MemoryListing listing) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("line", listing.line());
        node.put("listing", listing.kind().id());
        node.put("device", listing.device().isEmpty() ? null : listing.device());
        bytes(node, "total_bytes", listing.amount(Quantity.TOTAL));
        bytes(node, "free_bytes", listing.amount(Quantity.FREE));
        bytes(node, "used_bytes", listing.usedBytes());
        bytes(node, "needed_bytes", listing.amount(Quantity.TRIED));
        bytes(node, "allocated_bytes", listing.amount(Quantity.ALLOCATED));
        bytes(node, "active_bytes", listing.amount(Quantity.ACTIVE));
        bytes(node, "reserved_bytes", listing.amount(Quantity.RESERVED));
        bytes(node, "split_bytes", listing.amount(Quantity.SPLIT));
        ArrayNode shares = node.putArray("shares");
        for (MemoryListing.Share share : listing.shares()) {
            ObjectNode one = shares.addObject();
            one.put("name", share.name());
            if (share.pid().isPresent()) {
                one.put("pid", share.pid().getAsLong());
            } else {
                one.putNull("pid");
            }
            bytes(one, "held_bytes", share.bytes());
            bytes(one, "in_use_bytes", share.usedBytes());
        }
        node.put("others", listing.others());
        return node;
    }

    private static void bytes(ObjectNode node, String name, OptionalLong bytes) {
        if (bytes.isPresent()) {
            node.put(name, bytes.getAsLong());
        } else {
            node.putNull(name);
        }
    }
}
