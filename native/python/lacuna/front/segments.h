// The agent's memory as segments of a snapshot, as PyTorch's viewers know them.
#ifndef LACUNA_FRONT_SEGMENTS_H
#define LACUNA_FRONT_SEGMENTS_H

#include <vector>

#include "agent.h"
#include "history.h"

namespace lacuna {

// What is mapped in runs grows and shrinks, as PyTorch's expandable segments do.
template <class Segment>
void add_segments(const Agent &call, lacuna_agent *agent, c10::DeviceIndex device, const History &history, std::vector<Segment> &to) {
    for (const lacuna_piece &piece : pieces_of(call, agent)) {
        if (piece.segment_bytes != 0) {
            Segment segment;
            segment.device = device;
            segment.address = piece.address;
            segment.total_size = piece.segment_bytes;
            segment.stream = reinterpret_cast<decltype(segment.stream)>(piece.stream);
            segment.is_large = (piece.pool & 1) != 0;
            segment.is_expandable = piece.pool > LACUNA_POOL_STOCK_LARGE;
            to.push_back(std::move(segment));
        }
        Segment &home = to.back();
        typename decltype(home.blocks)::value_type block;
        block.size = piece.bytes;
        block.requested_size = piece.requested;
        block.allocated = piece.state == LACUNA_PIECE_LIVE;
        block.active = piece.state != LACUNA_PIECE_FREE;
        if (block.active && history.any()) block.context_when_allocated = history.stack_of(reinterpret_cast<void *>(piece.address));
        home.requested_size += block.allocated ? piece.requested : 0;
        home.allocated_size += block.allocated ? piece.bytes : 0;
        home.active_size += block.active ? piece.bytes : 0;
        home.blocks.push_back(std::move(block));
    }
}

} // namespace lacuna

#endif
